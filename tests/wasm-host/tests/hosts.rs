//! What differs from host to host.

mod common;

use common::{filter, keeps_everything};
use fencegate_wasm_host::abi::UNIMPLEMENTED;
use fencegate_wasm_host::ask::{Ask, Pick, Sent, Who};
use fencegate_wasm_host::day::{CallFault, Callback, Day, Fault, Setting, Step, Update};
use fencegate_wasm_host::generate;
use fencegate_wasm_host::instance::Loaded;
use fencegate_wasm_host::run::{Control, Report, run};
use fencegate_wasm_host::shared::Dialect;

fn setting(dialect: Dialect) -> Setting {
    Setting {
        dialect,
        workers: 4,
        external: false,
        resources: 64,
        lock_delay_ms: 0,
        ..generate::day(0).setting
    }
}

fn request(worker: u8, ask: Ask) -> Step {
    let script = vec![
        Callback::Create,
        Callback::Headers(false),
        Callback::Body(100, true),
        Callback::Delete,
    ];
    Step::Request {
        worker,
        ask,
        script,
        faults: Vec::new(),
    }
}

fn acquire(worker: u8, resource: u8) -> Step {
    let ask = Ask::Acquire {
        resource,
        holder: worker,
        ttl_ms: 5_000,
        request_id: None,
        expect: false,
        wait_ms: 0,
    };
    request(worker, ask)
}

fn write(worker: u8, resource: u8) -> Step {
    request(
        worker,
        Ask::Guarded {
            resource,
            who: Who::Owner,
            token: Sent::One(Pick::Newest),
            method: 2,
        },
    )
}

fn good_day(filter: &Loaded, dialect: Dialect) -> Report {
    let mut steps = vec![Step::Time(2_000)];
    for resource in 0..20 {
        steps.extend([
            acquire(0, resource),
            write(1, resource),
            acquire(2, resource),
            write(3, resource),
        ]);
    }
    keeps_everything(
        filter,
        0,
        &Day {
            setting: setting(dialect),
            steps,
        },
    )
}

#[test]
fn on_every_dialect_leases_are_granted_once_and_writes_admitted_on_every_worker() {
    let filter = filter();
    for dialect in Dialect::ALL {
        let figures = good_day(&filter, dialect).figures;
        // The end of a day adds one of each.
        assert_eq!(
            (figures.granted, figures.admitted),
            (21, 41),
            "{dialect:?}: {figures}"
        );
        assert_eq!(figures.statuses.get(&409), Some(&20), "{dialect:?}");
    }
}

/// Every host call of a configuration fails, one at a time: it is refused, or nothing was missing.
#[test]
fn a_host_that_lacks_what_is_needed_is_told_so_when_it_is_configured() {
    let update = Update {
        generation: 0,
        mapping: 0,
        resources: None,
        broken: false,
    };
    let filter = filter();
    let mut refused = 0;
    for at in 0..12 {
        let fault = Fault::Refuse(UNIMPLEMENTED);
        let faults = vec![CallFault { at, fault }];
        let steps = vec![
            Step::Configure {
                worker: 0,
                update,
                faults,
            },
            Step::Time(2_000),
            acquire(0, 1),
            write(0, 1),
        ];
        let day = Day {
            setting: Setting {
                workers: 1,
                ..setting(Dialect::Envoy)
            },
            steps,
        };
        let report = run(&filter, &day, Control::default());
        assert_eq!(report.breach, None, "call {at}");
        assert_eq!(
            report.figures.admitted, 2,
            "the filter of before goes on: call {at}"
        );
        refused += usize::from(
            report
                .log
                .iter()
                .any(|line| line.contains("refused") && line.contains("12")),
        );
    }
    assert!(refused >= 5, "{refused} refusals");
}
