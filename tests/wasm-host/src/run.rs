//! Runs a day.
//!
//! There is one thread. Instances interleave where a host call of one of them takes its time: the
//! next steps of the day then happen inside that call, on other instances. An instance that is in
//! a call is never entered again, as no proxy does it. So the same day runs the same way each time.

use crate::breach::{self, Breach};
use crate::day::{CallFault, Day, Setting, Step, Update};
use crate::figures::Figures;
use crate::guest::Guest;
use crate::instance::{Fall, Instance, Loaded};
use crate::shared::Spoil;
use crate::ticket::Configured;
use crate::worker::{Root, Worker};
use crate::{configuration, request};
use std::cell::{Cell, RefCell, RefMut};
use std::rc::Rc;

/// What a proxy is made to do wrong for a control: the checks must find it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// It lets everything go on that the filter holds.
    pub forwards_despite_pause: bool,
}

/// What a day came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// In numbers.
    pub figures: Figures,
    /// The first promise that was broken.
    pub breach: Option<Breach>,
    /// The last lines of the log.
    pub log: Vec<String>,
    /// How large each living instance's memory was at the end, before the last restart, in bytes.
    pub memory: Vec<usize>,
    /// How many shared values there are at the end.
    pub values: usize,
}

/// A day under way.
#[derive(Debug)]
pub struct Run {
    pub(crate) setting: Setting,
    pub(crate) control: Control,
    /// What the instances share.
    pub world: RefCell<crate::world::World>,
    workers: Vec<RefCell<Worker>>,
    loaded: Loaded,
    depth: Cell<u8>,
}

/// How deep turns are nested: no deeper than there are instances.
const DEPTH_MAX: u8 = 4;

/// Runs a day.
#[must_use]
pub fn run(loaded: &Loaded, day: &Day, control: Control) -> Report {
    let workers = (0..day.setting.workers.clamp(1, 4)).map(usize::from);
    let run = Rc::new(Run {
        setting: day.setting.clone(),
        control,
        world: RefCell::new(crate::world::World::new(&day.setting, &day.steps)),
        workers: workers
            .map(|number| RefCell::new(Worker::new(number)))
            .collect(),
        loaded: loaded.clone(),
        depth: Cell::new(0),
    });
    run.start();
    run.go_on(usize::MAX);
    let memory = run.memory();
    crate::ending::end(&run, &memory);
    run.report(memory)
}

impl Run {
    fn report(&self, memory: Vec<usize>) -> Report {
        let world = self.world.borrow();
        Report {
            figures: Figures {
                days: 1,
                ..world.checker.figures.clone()
            },
            breach: world.checker.breach.clone(),
            log: world.log.iter().cloned().collect(),
            memory,
            values: world.shared.len(),
        }
    }

    /// How large each instance's memory is, in bytes.
    fn memory(&self) -> Vec<usize> {
        let workers = self
            .workers
            .iter()
            .filter_map(|worker| worker.try_borrow().ok());
        workers
            .filter_map(|worker| worker.instance.as_ref().map(Instance::memory_size))
            .collect()
    }

    /// Whether something was broken already.
    pub(crate) fn is_over(&self) -> bool {
        self.world.borrow().checker.breach.is_some()
    }

    fn go_on(self: &Rc<Self>, steps: usize) {
        for _ in 0..steps {
            if self.is_over() {
                return;
            }
            let Some(step) = self.world.borrow_mut().steps.pop_front() else {
                return;
            };
            self.step(&step);
        }
    }

    /// A host call takes its time: the next steps happen now.
    pub(crate) fn turn(self: &Rc<Self>, steps: u8) {
        if self.depth.get() >= DEPTH_MAX {
            return;
        }
        self.depth.set(self.depth.get() + 1);
        self.world.borrow_mut().checker.figures.turns += 1;
        self.go_on(steps.into());
        self.depth.set(self.depth.get() - 1);
    }

    /// The worker that a step is for, or the next one that is not in a call.
    fn worker(&self, number: u8) -> Option<RefMut<'_, Worker>> {
        let count = self.workers.len();
        let from = usize::from(number) % count;
        (from..from + count).find_map(|at| self.workers[at % count].try_borrow_mut().ok())
    }

    fn step(self: &Rc<Self>, step: &Step) {
        match step {
            Step::Request {
                worker,
                ask,
                script,
                faults,
            } => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.arm(&mut worker, faults);
                    request::begin(self, &mut worker, ask, script);
                }
            }
            Step::Resume {
                worker,
                pick,
                faults,
            } => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.arm(&mut worker, faults);
                    request::resume(self, &mut worker, *pick);
                }
            }
            Step::Tick { worker, faults } => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.arm(&mut worker, faults);
                    self.tick(&mut worker, faults.is_empty());
                }
            }
            Step::Time(ms) => {
                self.world.borrow_mut().pass(*ms);
                self.fault(*ms > 60_000);
            }
            Step::Wall(ms) => {
                let nanos = i64::from(*ms) * 1_000_000;
                let mut world = self.world.borrow_mut();
                world.wall = world.wall.saturating_add_signed(nanos);
                world.checker.figures.faults += 1;
            }
            Step::Spoil { pick, spoil } => self.spoil(*pick, *spoil),
            Step::Heal => self.world.borrow_mut().shared.heal(),
            Step::Kill(worker) => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.fault(true);
                    self.arm(&mut worker, &[]);
                    self.revive(&mut worker);
                }
            }
            Step::Configure {
                worker,
                update,
                faults,
            } => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.fault(true);
                    self.arm(&mut worker, faults);
                    self.configure(&mut worker, update);
                }
            }
            Step::Retire(worker) => {
                if let Some(mut worker) = self.worker(*worker) {
                    self.arm(&mut worker, &[]);
                    self.retire(&mut worker);
                }
            }
            Step::Restart => self.restart(),
        }
    }

    fn fault(&self, is_one: bool) {
        self.world.borrow_mut().checker.figures.faults += u64::from(is_one);
    }

    fn arm(&self, worker: &mut Worker, faults: &[CallFault]) {
        if let Some(instance) = &mut worker.instance {
            let guest = instance.guest();
            guest.faults = faults.to_vec();
            guest.calls = 0;
        }
    }

    fn spoil(&self, pick: u16, spoil: Spoil) {
        let mut world = self.world.borrow_mut();
        let possible = self.depth.get() == 0 || world.shared.drops_under_way();
        let spoil = if spoil == Spoil::Drop && !possible {
            Spoil::Empty
        } else {
            spoil
        };
        if let Some(key) = world.shared.spoil(pick, spoil) {
            world.checker.figures.faults += 1;
            world.line(format!(
                "{spoil:?} strikes {}",
                String::from_utf8_lossy(&key)
            ));
            if world.shared.lost_everything() {
                world.checker.restarted();
            }
        }
    }

    /// The proxy starts: all workers come up.
    pub(crate) fn start(self: &Rc<Self>) {
        for worker in &self.workers {
            if let Ok(mut worker) = worker.try_borrow_mut() {
                self.revive(&mut worker);
            }
        }
    }

    /// The proxy starts anew. Not while anybody is in a call: that call would end first.
    pub(crate) fn restart(self: &Rc<Self>) {
        if self.depth.get() > 0 {
            return;
        }
        self.fault(true);
        for worker in &self.workers {
            if let Ok(mut worker) = worker.try_borrow_mut() {
                request::drop_all(self, &mut worker);
                worker.instance = None;
            }
        }
        {
            let mut world = self.world.borrow_mut();
            world.shared = crate::shared::Shared::new(self.setting.dialect);
            world.checker.restarted();
            // A process takes longer than that to come up.
            world.pass(20);
        }
        self.start();
    }

    /// A new instance for a worker, with the configuration that the old one had.
    pub(crate) fn revive(self: &Rc<Self>, worker: &mut Worker) {
        request::drop_all(self, worker);
        let first = Configured {
            generation: 1,
            mapping: 0,
        };
        let configured = worker
            .serving()
            .and_then(|root| root.configured)
            .unwrap_or(first);
        worker.roots.clear();
        worker.last_context = 0;
        self.world.borrow_mut().checker.figures.instances += 1;
        let guest = Guest {
            run: Rc::downgrade(self),
            worker: worker.number,
            exports: None,
            context: 0,
            configuration: Vec::new(),
            faults: Vec::new(),
            calls: 0,
            limits: wasmtime::StoreLimits::default(),
        };
        worker.instance = match Instance::new(&self.loaded, guest) {
            Ok(instance) => Some(instance),
            Err(fall) => {
                self.fell(worker, &fall);
                None
            }
        };
        self.root(
            worker,
            configured,
            configuration::write(&self.setting, configured, None),
        );
    }

    /// Creates and configures a filter.
    fn root(self: &Rc<Self>, worker: &mut Worker, configured: Configured, text: Vec<u8>) {
        let first = worker.roots.is_empty();
        let root = worker.next_context();
        let Some(instance) = &mut worker.instance else {
            return;
        };
        let guest = instance.guest();
        guest.context = root;
        guest.configuration = text;
        let answer = instance.create(root, 0).and_then(|()| {
            let started = !first || instance.vm_start(root)?;
            Ok(started && instance.configure(root)?)
        });
        match answer {
            Ok(agreed) => {
                let configured = agreed.then_some(configured);
                worker.roots.push(Root {
                    context: root,
                    configured,
                });
            }
            Err(fall) => self.fell(worker, &fall),
        }
    }

    fn configure(self: &Rc<Self>, worker: &mut Worker, update: &Update) {
        let now = worker.serving().and_then(|root| root.configured);
        let now = now.unwrap_or(Configured {
            generation: 1,
            mapping: 0,
        });
        let generation = now
            .generation
            .saturating_add_signed(update.generation.into());
        let mapping = update.mapping;
        let configured = Configured {
            generation,
            mapping,
        };
        let mut text = configuration::write(&self.setting, configured, update.resources);
        if update.broken {
            text.truncate(text.len() / 2);
        }
        self.root(worker, configured, text);
    }

    fn retire(self: &Rc<Self>, worker: &mut Worker) {
        let Some(serving) = worker.serving() else {
            return;
        };
        for root in core::mem::replace(&mut worker.roots, vec![serving]) {
            if root.context == serving.context {
                continue;
            }
            let Some(instance) = &mut worker.instance else {
                return;
            };
            if let Err(fall) = instance.delete(root.context) {
                return self.fell(worker, &fall);
            }
        }
    }

    fn tick(self: &Rc<Self>, worker: &mut Worker, sound: bool) {
        let before = self.world.borrow().monotonic;
        for root in worker.roots.clone() {
            let Some(instance) = &mut worker.instance else {
                return;
            };
            instance.guest().context = root.context;
            if let Err(fall) = instance.tick(root.context) {
                return self.fell(worker, &fall);
            }
        }
        if sound && worker.roots.iter().any(|root| root.configured.is_some()) {
            let waiting: Vec<_> = worker.held.iter().map(|held| held.ticket).collect();
            self.world.borrow_mut().checker.after_tick(&waiting, before);
        }
    }

    /// An instance is no more: the proxy makes a new one.
    pub(crate) fn fell(self: &Rc<Self>, worker: &mut Worker, fall: &Fall) {
        if let Fall::Trapped(why) = fall {
            let story = format!("worker {}: {why}", worker.number);
            self.world
                .borrow_mut()
                .checker
                .broken(breach::NO_TRAP, story);
        }
        request::drop_all(self, worker);
        worker.instance = None;
        if !self.is_over() {
            self.revive(worker);
        }
    }
}
