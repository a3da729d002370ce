//! What the proxy's context numbers stand for.
//!
//! The proxy counts them up, so what is new stands last, and a search by halving finds the rest.
//! A tree would do the same with twenty times the code.

/// Values by context number, in ascending order.
#[derive(Debug)]
pub struct Contexts<T>(Vec<(u32, T)>);

impl<T> Default for Contexts<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Contexts<T> {
    fn find(&self, context: u32) -> Result<usize, usize> {
        self.0.binary_search_by_key(&context, |(number, _)| *number)
    }

    /// Puts a value in, in place of the one that is there.
    pub fn insert(&mut self, context: u32, value: T) {
        match self.find(context) {
            Ok(at) => {
                if let Some(slot) = self.0.get_mut(at) {
                    slot.1 = value;
                }
            }
            Err(at) => self.0.insert(at, (context, value)),
        }
    }

    /// The value of a context.
    #[must_use]
    pub fn get(&self, context: u32) -> Option<&T> {
        let at = self.find(context).ok()?;
        self.0.get(at).map(|(_, value)| value)
    }

    /// The value of a context, to be changed.
    pub fn get_mut(&mut self, context: u32) -> Option<&mut T> {
        let at = self.find(context).ok()?;
        self.0.get_mut(at).map(|(_, value)| value)
    }

    /// Takes a value out; whether there was one.
    pub fn remove(&mut self, context: u32) -> bool {
        self.take(context).is_some()
    }

    /// Takes a value out.
    pub fn take(&mut self, context: u32) -> Option<T> {
        let at = self.find(context).ok()?;
        Some(self.0.remove(at).1)
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All values with their numbers, lowest first.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.0.iter().map(|(number, value)| (*number, value))
    }

    /// All values with their numbers, lowest first, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (u32, &mut T)> {
        self.0.iter_mut().map(|(number, value)| (*number, value))
    }
}

#[cfg(test)]
mod tests {
    use super::Contexts;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn contexts_behave_like_a_map(steps in prop::collection::vec((0_u8..3, 0_u32..8, any::<u16>()), 0..60)) {
            let (mut ours, mut map) = (Contexts::default(), BTreeMap::new());
            for (step, context, value) in steps {
                match step {
                    0 => { ours.insert(context, value); map.insert(context, value); }
                    1 => prop_assert_eq!(ours.remove(context), map.remove(&context).is_some()),
                    _ => prop_assert_eq!(ours.get(context), map.get(&context)),
                }
                let all: Vec<_> = ours.iter_mut().map(|(number, value)| (number, *value)).collect();
                prop_assert_eq!(all, map.clone().into_iter().collect::<Vec<_>>());
            }
        }
    }
}
