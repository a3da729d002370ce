//! One telling: A acquires, is frozen in the middle of its report, B takes over, A wakes and writes.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use super::stage::{Said, Stage, Worker};
use super::transcript::{Transcript, Who, short};
use super::{Settings, StoryError};
use crate::process::Signal;
use crate::worker::{Event, half_report, whole_report};

/// Whether somebody checks at the store's door.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Door {
    /// A lock, but nobody checks where it counts.
    Plain,
    /// The filter judges every write.
    Fenced,
}

/// What came of one telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// A's token.
    pub a_token: String,
    /// B's token.
    pub b_token: String,
    /// The status of the answer to A's late write.
    pub a_status: u16,
    /// The body of that answer.
    pub a_body: String,
    /// The statuses that a stubborn A got when it insisted; empty at the plain door.
    pub insisted: Vec<u16>,
    /// What the store has in the end.
    pub report: Vec<u8>,
    /// What it should have: B's whole report.
    pub whole: Vec<u8>,
    /// What the naive worker leaves: half of A's.
    pub half: Vec<u8>,
    /// How many requests with A's token reached the store.
    pub arrived_from_a: usize,
}

/// The worker's own pace: how long A takes for half a report, and B.
const WORK_MS: (u64, u64) = (500, 150);

struct Act<'a, 'out> {
    door: Door,
    stage: &'a Stage,
    settings: &'a Settings,
    transcript: &'a mut Transcript<'out>,
    job: u32,
    events: (Sender<Said>, Receiver<Said>),
    waiting_told: bool,
    refusal_told: bool,
}

/// Plays the story once; each door has a job of its own.
pub(super) fn play(
    door: Door,
    stage: &Stage,
    settings: &Settings,
    transcript: &mut Transcript<'_>,
) -> Result<Ending, StoryError> {
    let job = if door == Door::Plain { 1 } else { 2 };
    let mut act = Act {
        door,
        stage,
        settings,
        transcript,
        job,
        events: mpsc::channel(),
        waiting_told: false,
        refusal_told: false,
    };
    act.play()
}

impl Act<'_, '_> {
    fn play(&mut self) -> Result<Ending, StoryError> {
        let (mut a, a_token, a_acquired) = self.a_gets_half_way()?;
        a.process.signal(Signal::STOP)?;
        let frozen = Instant::now();
        self.tell(
            Who::A,
            "is frozen in the middle of its work (SIGSTOP): a long pause, as any process may have",
        )?;

        if self.settings.kills_leader && self.door == Door::Fenced {
            self.stage.kill_leader()?;
            self.tell(
                Who::Teller,
                "The member of etcd that leads is killed (SIGKILL); the other two elect a new one.",
            )?;
        }
        let b_token = self.b_takes_over()?;
        std::thread::sleep(self.settings.pause.saturating_sub(frozen.elapsed()));
        let overdue = a_acquired.elapsed().saturating_sub(self.settings.ttl);
        a.process.signal(Signal::CONT)?;
        self.tell(
            Who::A,
            &format!(
                "wakes (SIGCONT) after {:.1} s",
                frozen.elapsed().as_secs_f64()
            ),
        )?;
        self.tell(
            Who::Teller,
            &format!(
                "A believes that it holds the lease: nobody told it otherwise. Its lease ended {:.1} s ago; B has had the job since.",
                overdue.as_secs_f64()
            ),
        )?;
        let (a_status, a_body) = self.answer_to(Who::A)?;
        a.process.wait(self.patience())?;
        self.tell_the_rest()?;
        let insisted = if self.door == Door::Fenced {
            self.a_insists(&a_token)?
        } else {
            Vec::new()
        };
        self.look_at_the_store(a_token, b_token, a_status, a_body, insisted)
    }

    fn a_gets_half_way(&mut self) -> Result<(Worker, String, Instant), StoryError> {
        let a = self.worker(Who::A, WORK_MS.0, &["--save", "half"])?;
        let token = self.token_of(Who::A)?;
        let acquired = Instant::now();
        self.until(Who::A, "half a report", |event| {
            (*event == Event::HalfReady).then_some(())
        })?;
        Ok((a, token, acquired))
    }

    fn b_takes_over(&mut self) -> Result<String, StoryError> {
        let mut b = self.worker(Who::B, WORK_MS.1, &[])?;
        let token = self.token_of(Who::B)?;
        let (status, body) = self.answer_to(Who::B)?;
        if !(200..300).contains(&status) {
            return Err(StoryError::Unexpected(format!(
                "B's write was answered with {status}: {body}"
            )));
        }
        b.process.wait(self.patience())?;
        self.tell_the_rest()?;
        Ok(token)
    }

    /// What a worker that does not listen gets: the same answer, every time.
    fn a_insists(&mut self, token: &str) -> Result<Vec<u16>, StoryError> {
        self.tell(
            Who::Teller,
            "What if A did not listen? The same worker once more, stubborn, with its old token:",
        )?;
        let mut a = self.worker(
            Who::A,
            0,
            &["--save", "half", "--stubborn", "--token", token],
        )?;
        let mut statuses = Vec::new();
        for _ in 0..4 {
            statuses.push(self.answer_to(Who::A)?.0);
        }
        a.process.wait(self.patience())?;
        self.tell_the_rest()?;
        Ok(statuses)
    }

    fn look_at_the_store(
        &mut self,
        a_token: String,
        b_token: String,
        a_status: u16,
        a_body: String,
        insisted: Vec<u16>,
    ) -> Result<Ending, StoryError> {
        let (report, token) = self.stage.object(&self.path())?;
        let journal = self.stage.journal()?;
        let arrived_from_a = journal.with_token(&a_token).count();
        let ending = Ending {
            a_status,
            a_body,
            insisted,
            report,
            whole: whole_report(&self.resource(), "B").into_bytes(),
            half: half_report(&self.resource(), "A").into_bytes(),
            arrived_from_a,
            a_token,
            b_token,
        };
        let is = if ending.is_whole() {
            "B's report, whole"
        } else {
            "half a report, by A: trash. B's is lost"
        };
        let written = token.map_or_else(String::new, |token| {
            format!(", written with token {}", short(&token))
        });
        let is = self.transcript.judged(ending.is_whole(), is);
        self.tell(
            Who::Store,
            &format!(
                "{} is {} bytes{written}: {is}",
                self.path(),
                ending.report.len()
            ),
        )?;
        let arrived = match arrived_from_a {
            0 => "nothing that carries A's token has ever arrived".to_owned(),
            count => format!("{count} of its requests carried A's token"),
        };
        self.tell(Who::Store, &format!("by its journal, {arrived}"))?;
        Ok(ending)
    }

    fn worker(&mut self, who: Who, work_ms: u64, more: &[&str]) -> Result<Worker, StoryError> {
        let name = if who == Who::A { "A" } else { "B" };
        let proxy = self.stage.proxy(who);
        let door = match self.door {
            Door::Plain => proxy.plain,
            Door::Fenced => proxy.fenced,
        };
        let (ttl, work) = (
            self.settings.ttl.as_millis().to_string(),
            work_ms.to_string(),
        );
        let (door, resource, path) = (door.to_string(), self.resource(), self.path());
        let mut arguments = vec![
            "--name",
            name,
            "--proxy",
            &door,
            "--resource",
            &resource,
            "--path",
            &path,
        ];
        arguments.extend(["--ttl-ms", &ttl, "--work-ms", &work]);
        arguments.extend(more);
        let arguments: Vec<String> = arguments.into_iter().map(str::to_owned).collect();
        self.stage.worker(who, &arguments, self.events.0.clone())
    }

    fn token_of(&mut self, who: Who) -> Result<String, StoryError> {
        self.until(who, "a lease", |event| match event {
            Event::Acquired { token, .. } => Some(token.clone()),
            _ => None,
        })
    }

    fn answer_to(&mut self, who: Who) -> Result<(u16, String), StoryError> {
        self.until(who, "an answer", |event| match event {
            Event::Answered { status, body, .. } => Some((*status, body.clone())),
            _ => None,
        })
    }

    /// Tells what happens until `wanted` happens to `who`.
    fn until<T>(
        &mut self,
        who: Who,
        what: &str,
        wanted: impl Fn(&Event) -> Option<T>,
    ) -> Result<T, StoryError> {
        let deadline = Instant::now() + self.patience();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let (whose, event) = match self.events.1.recv_timeout(left) {
                Ok(said) => said,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    return Err(StoryError::Unexpected(format!("{who:?} never got {what}")));
                }
            };
            self.tell_event(whose, &event)?;
            if whose == who
                && let Some(found) = wanted(&event)
            {
                return Ok(found);
            }
        }
    }

    /// Tells the last words of a worker that has ended.
    fn tell_the_rest(&mut self) -> Result<(), StoryError> {
        while let Ok((who, event)) = self.events.1.recv_timeout(Duration::from_millis(50)) {
            self.tell_event(who, &event)?;
        }
        Ok(())
    }

    fn tell_event(&mut self, who: Who, event: &Event) -> Result<(), StoryError> {
        let resource = self.resource();
        let text = match event {
            Event::Waiting { .. } if std::mem::replace(&mut self.waiting_told, true) => {
                return Ok(());
            }
            Event::Waiting {
                reason,
                retry_after_ms,
            } => {
                format!(
                    "asks for the lease of {resource}: not yet ({reason}); it waits {retry_after_ms} ms"
                )
            }
            Event::Acquired { token, ttl_ms } => {
                let seconds = *ttl_ms as f64 / 1000.0;
                format!(
                    "gets the lease of {resource} for {seconds:.1} s, with token {token} ({})",
                    short(token)
                )
            }
            Event::HalfReady => "half of the report is ready".to_owned(),
            Event::WholeReady => "all of the report is ready".to_owned(),
            Event::Writing { bytes, token } => {
                format!(
                    "PUT {}: {bytes} bytes, Fencing-Token {}",
                    self.path(),
                    short(token)
                )
            }
            Event::Answered { status, body, .. } => format!("is answered {status}{}", reason(body)),
            Event::Stopped => "stops: it was told that it is not the holder any more".to_owned(),
            Event::Insists => "tries again, with the same token".to_owned(),
            Event::Released { status: 200 } => "gives its lease back".to_owned(),
            Event::Released { status } => {
                format!("gives its lease back: {status}, it has none. Now it knows")
            }
        };
        self.tell(who, &text)?;
        if let Event::Answered {
            status: 400..,
            body,
            content_type,
        } = event
            && !std::mem::replace(&mut self.refusal_told, true)
        {
            let kind = content_type.as_deref().unwrap_or("");
            self.transcript
                .quote(&format!("{kind}\n{}", readable(body)))?;
        }
        Ok(())
    }

    fn tell(&mut self, who: Who, text: &str) -> Result<(), StoryError> {
        Ok(self.transcript.line(who, text)?)
    }

    fn resource(&self) -> String {
        format!("job:{}", self.job)
    }

    fn path(&self) -> String {
        format!("/jobs/{}/report.pdf", self.job)
    }

    /// A new leader of etcd lets every lease run its whole time again.
    fn patience(&self) -> Duration {
        2 * self.settings.ttl + Duration::from_secs(20)
    }
}

/// A JSON body as it came, with a line for each field.
fn readable(body: &str) -> String {
    body.replace(",\"", ",\n \"")
}

/// The reason in a problem body, in brackets.
fn reason(body: &str) -> String {
    let json: serde_json::Value = serde_json::from_str(body).unwrap_or_default();
    json["reason"]
        .as_str()
        .map_or_else(String::new, |reason| format!(" ({reason})"))
}

impl Ending {
    /// Whether the store has B's whole report.
    pub fn is_whole(&self) -> bool {
        self.report == self.whole
    }

    /// Whether the store has half of A's report instead.
    pub fn is_trash(&self) -> bool {
        self.report == self.half
    }
}
