//! Worker threads that move one step at a time, in an order that a test chooses.
//!
//! Each worker is a thread that waits for its turn before every step, so at any time only one of
//! them runs, and a run is repeated exactly by making the same choices. [`explore`] makes all of
//! them, up to a number of switches between workers that could have gone on.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

/// A worker's place in the order.
pub struct Turn {
    worker: usize,
    events: Sender<(usize, bool)>,
    go: Receiver<()>,
    steps: Arc<AtomicUsize>,
}

impl Turn {
    /// Waits until this worker may do its next step.
    pub fn wait(&self) {
        self.events.send((self.worker, true)).expect("a controller");
        self.go.recv().expect("a controller");
    }

    /// How many steps all workers have done.
    pub fn steps(&self) -> usize {
        self.steps.load(Ordering::SeqCst)
    }
}

/// Tells the controller that a worker is over, also by a panic.
struct Over(usize, Sender<(usize, bool)>);

impl Drop for Over {
    fn drop(&mut self) {
        // Nobody listens any more if the controller failed first.
        let _ = self.1.send((self.0, false));
    }
}

/// A worker's work.
pub type Work<'w, T> = Box<dyn FnOnce(Turn) -> T + Send + 'w>;

/// Runs workers to their ends; before each step, `choose` says which of those that wait goes on.
pub fn run<T: Send>(works: Vec<Work<'_, T>>, choose: &mut dyn FnMut(&[usize]) -> usize) -> Vec<T> {
    let (events, happened) = mpsc::channel();
    let steps = Arc::new(AtomicUsize::new(0));
    thread::scope(|scope| {
        let mut gates = Vec::new();
        let mut threads = Vec::new();
        for (worker, work) in works.into_iter().enumerate() {
            let (gate, go) = mpsc::channel();
            gates.push(gate);
            let turn = Turn {
                worker,
                events: events.clone(),
                go,
                steps: Arc::clone(&steps),
            };
            let over = Over(worker, events.clone());
            threads.push(scope.spawn(move || {
                let _over = over;
                work(turn)
            }));
        }
        let mut waiting = Vec::new();
        let mut running = gates.len();
        loop {
            while running > 0 {
                let (worker, waits) = happened.recv().expect("a worker");
                running -= 1;
                if waits {
                    waiting.push(worker);
                }
            }
            if waiting.is_empty() {
                break;
            }
            waiting.sort_unstable();
            let chosen = choose(&waiting);
            waiting.retain(|worker| *worker != chosen);
            steps.fetch_add(1, Ordering::SeqCst);
            running = 1;
            // A worker that panicked meanwhile has no gate; joining it says so.
            let _ = gates[chosen].send(());
        }
        let joined = threads.into_iter().map(|thread| thread.join());
        joined
            .map(|end| end.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

/// Makes one run for every order in which at most `switches_max` times a worker is put aside
/// although it could go on. Says how many runs there were.
pub fn explore(
    switches_max: usize,
    mut run: impl FnMut(&mut dyn FnMut(&[usize]) -> usize),
) -> usize {
    // Which of how many was chosen, at each place where there was a choice.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for runs in 1.. {
        let (mut at, mut last, mut switches) = (0, usize::MAX, 0);
        run(&mut |waiting| {
            let mut options = waiting.to_vec();
            let goes_on = options.iter().position(|worker| *worker == last);
            if let Some(place) = goes_on {
                options.swap(0, place);
                if switches == switches_max {
                    options.truncate(1);
                }
            }
            if at == path.len() {
                path.push((0, options.len()));
            }
            let (taken, of) = path[at];
            assert_eq!(of, options.len(), "the same choices lead to the same run");
            at += 1;
            switches += usize::from(goes_on.is_some() && taken > 0);
            last = options[taken];
            last
        });
        while path.last().is_some_and(|(taken, of)| taken + 1 == *of) {
            path.pop();
        }
        match path.last_mut() {
            Some((taken, _)) => *taken += 1,
            None => return runs,
        }
    }
    unreachable!("the number of runs is finite")
}

/// Chooses by a list of numbers, and in order when it is used up.
pub fn by_list(list: &[u8]) -> impl FnMut(&[usize]) -> usize + '_ {
    let mut numbers = list.iter();
    move |waiting| {
        let number = numbers.next().copied().unwrap_or(0);
        waiting[usize::from(number) % waiting.len()]
    }
}
