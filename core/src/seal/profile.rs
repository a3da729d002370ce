//! What the answers of each kind of store mean for a conditional write.

/// A kind of store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Profile {
    /// Amazon S3 and what speaks like it. The ETag of a plain PUT is a hash of its content.
    S3,
    /// Azure Blob Storage: an ETag of its own for every write.
    Azure,
    /// Google Cloud Storage: a generation for every write.
    Gcs,
    /// Any server with ETags and RFC 9110 conditions. Of how it makes its ETags nothing is known.
    Http,
}

/// How an attempt ended, as far as the proxy can tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reply {
    /// The store answered completely with this status.
    Status(u16),
    /// Nobody knows: time-out, reset, an answer of the proxy's own.
    None,
}

/// What it means for this attempt, by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// It was applied.
    Applied,
    /// The condition failed: somebody else was there. It was not applied.
    Conflict,
    /// It ran into another write that was under way, and was not applied: read again, and retry.
    Again,
    /// The store refused it for another reason. It was not applied.
    Refused,
    /// The store cannot do conditions.
    Unconditional,
    /// It may have been applied, and may still be.
    Unknown,
}

impl Profile {
    /// Every kind.
    pub const ALL: [Self; 4] = [Self::S3, Self::Azure, Self::Gcs, Self::Http];

    /// Whether the same bytes, written again, may get the same tag again: then the seal can be
    /// passed by a late write that finds the tag of its own time.
    #[must_use]
    pub const fn has_aba_hole(self) -> bool {
        match self {
            Self::S3 | Self::Http => true,
            Self::Azure | Self::Gcs => false,
        }
    }

    /// Whether the condition is on a generation, not on an ETag.
    #[must_use]
    pub const fn uses_generations(self) -> bool {
        matches!(self, Self::Gcs)
    }

    /// What `reply` to a write under a condition means. `absent`: the condition was that there is
    /// no object.
    #[must_use]
    pub const fn meaning(self, reply: Reply, absent: bool) -> Meaning {
        let Reply::Status(status) = reply else {
            return Meaning::Unknown;
        };
        match (self, status) {
            (_, 200..=299) => Meaning::Applied,
            (_, 412) => Meaning::Conflict,
            // ConditionalRequestConflict.
            (Self::S3, 409) => Meaning::Again,
            // BlobAlreadyExists; otherwise a lease of the store's own.
            (Self::Azure, 409) if absent => Meaning::Conflict,
            // The object of the condition is gone.
            (Self::S3 | Self::Gcs | Self::Azure, 404) if !absent => Meaning::Conflict,
            (_, 501) => Meaning::Unconditional,
            // It gave up waiting for the request, and may have seen enough of it.
            (_, 408) => Meaning::Unknown,
            (_, 300..=499) => Meaning::Refused,
            // 1xx is no answer, and a 5xx may come after the write was applied.
            _ => Meaning::Unknown,
        }
    }
}
