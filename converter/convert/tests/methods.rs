//! Methods of .NET programs: which frames they name, and for how long.

#![allow(
    clippy::expect_used,
    reason = "a test helper that fails fails its test"
)]

use crate::support;

use std::collections::BTreeMap;
use std::io::Cursor;

use convert::{Choices, Request};
use support::leak::present;
use support::profile::{Sample, samples};
use support::{Output, converted_files};
use synth::scenario::{Options, dotnet};

fn dotnet_trace(request: &Request) -> Output {
    let options = Options::default();
    let (sink, _) = dotnet::write(Cursor::new(Vec::new()), options, 0).expect("memory takes it");
    converted_files(&[("dotnet.etl", &sink.into_inner())], request).expect("the trace converts")
}

/// How many samples of each process were where, the most first in each.
fn places(samples: &[Sample]) -> Vec<String> {
    let mut counts = BTreeMap::new();
    for sample in samples {
        let place = sample.frames.first().expect("a sample has a frame");
        *counts.entry((sample.pid, place.to_string())).or_insert(0) += 1;
    }
    let line = |((pid, place), count)| format!("{pid} {place}: {count}");
    counts.into_iter().map(line).collect()
}

#[test]
fn frames_are_named_by_the_methods_of_their_process_and_time() {
    let output = dotnet_trace(&Request::default());
    assert_eq!(
        places(&samples(&output.trace)),
        [
            // 0x50 in the memory that is used twice: 20 samples before the one is unloaded, 30 in what was loaded in its place.
            "3000 C:\\Shop\\shop.exe!Shop.Cart.Add+7ff840000010: 50",
            "3000 C:\\Shop\\shop.exe!Shop.Cart.Add+7ff840000020: 50",
            "3000 C:\\Shop\\shop.exe!Shop.Cart.Add+7ff840001010: 50",
            "3000 C:\\Shop\\shop.exe!Shop.Cart.Total+7ff840000110: 50",
            "3000 C:\\Shop\\shop.exe!Shop.Report.Print+7ff840008050: 30",
            "3000 [.NET]!dynamicClass.Format+7ff840008050: 20",
            "3000 \\Device\\HarddiskVolume3\\Windows\\clr.dll+500: 50",
            "3000 \\Device\\HarddiskVolume3\\Windows\\mscorlib.ni.dll!System.String.Concat+2010: 50",
            "4000 +7ff840002010: 50",
            "4000 C:\\Bank\\bank.exe!Bank.Ledger.Post+7ff840000010: 50",
            "4000 C:\\Bank\\bank.exe!Bank.Ledger.Post+7ff840000110: 50",
        ]
    );
    assert_eq!(
        output.converted.losses,
        [
            "1 events name methods or modules of .NET programs that frames are not named by: payload shorter than its layout"
        ]
    );
}

#[test]
fn a_cut_to_processes_and_to_a_time_keeps_their_names() {
    let request = Request {
        processes: vec!["bank.exe".to_owned()],
        from: Some("100ms".parse().expect("a time")),
        ..Request::default()
    };
    let output = dotnet_trace(&request);
    assert_eq!(
        places(&samples(&output.trace)),
        [
            "4000 +7ff840002010: 40",
            "4000 C:\\Bank\\bank.exe!Bank.Ledger.Post+7ff840000010: 40",
            "4000 C:\\Bank\\bank.exe!Bank.Ledger.Post+7ff840000110: 40",
        ]
    );
    assert!(!output.packets.join("\n").contains("Shop.Cart"));
}

#[test]
fn a_redacted_trace_has_pseudonyms_for_methods_that_do_not_come_with_net() {
    let request = Request {
        redact: Some(Choices::all()),
        ..Request::default()
    };
    let output = dotnet_trace(&request);
    let names = ["Shop", "Cart", "Total", "Report", "Ledger", "dynamicClass"];
    assert_eq!(present(&names, &output.trace), [] as [&str; 0]);
    // How many places each function was sampled at, as it is named.
    let mut functions = BTreeMap::new();
    for place in places(&samples(&output.trace)) {
        if let Some((_, function)) = place.split_once('!') {
            let name = function.split_once('+').map_or("", |(name, _)| name);
            let shown = if name.contains('~') {
                name.matches("~").count().to_string()
            } else {
                name.to_owned()
            };
            functions
                .entry((name.to_owned(), shown))
                .and_modify(|places| *places += 1)
                .or_insert(1);
        }
    }
    let mut shown: Vec<_> = functions
        .into_iter()
        .map(|((_, shown), places)| format!("{shown}: {places}"))
        .collect();
    shown.sort();
    // Type and method have a pseudonym each: two in a name.
    assert_eq!(
        shown,
        [
            "2: 1",
            "2: 1",
            "2: 1",
            "2: 2",
            "2: 3",
            "System.String.Concat: 1"
        ]
    );
}
