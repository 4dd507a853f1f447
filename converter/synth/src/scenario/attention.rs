//! `attention`: what the user looks at and does, and which processes are frozen, each kind of event once or twice, for
//! golden tests. The trace describes its events, as one that was merged does, or does not.

use std::io::{Seek, Write};

use super::Options;
use crate::events::desktop::{focus, freeze, thaw};
use crate::events::manifest::{
    ManifestEvent,
    Value::{self, AnsiText, Int32, UInt32},
};
use crate::events::process::{ProcessChange, ProcessEvent, ProcessInfo};
use crate::events::thread::{ThreadChange, ThreadEvent, ThreadInfo};
use crate::file::bytes::Guid;
use crate::file::event::{At, Header, Origin};
use crate::file::writer::{TraceWriter, WriteError};
use crate::truth::Truth;

const MULTI_INPUT: Guid = Guid::from_u128(0x70e2503b_c6f3_4780_b323_bd8ed0c61bf8);

const CPUS: u32 = 2;
const BUFFER_BYTES: u32 = 0x2000;
const MS: i64 = 10_000;
const END: i64 = 100 * MS;

const SERVICE: u32 = 1000;
const EDITOR: u32 = 2000;
const BROWSER: u32 = 3000;
const GAME: u32 = 4000;
const SESSION: u32 = 1;
const SERVICE_THREAD: Origin = Origin {
    tid: SERVICE + 4,
    pid: SERVICE,
};

/// Writes the trace. Frozen: the browser up to 10 ms and from 80 ms on, the editor from 40 to 60 ms. In focus: the
/// editor, from 30 ms on the browser, none from 50 ms, the game from 70 ms on. Input between 31 and 35 ms.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(
    sink: W,
    options: Options,
    describes: bool,
) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, CPUS, BUFFER_BYTES)?;
    let session = writer.session().clone();
    rundown(
        &mut writer,
        10,
        (ProcessChange::RundownStart, ThreadChange::RundownStart),
    )?;
    let events = events();
    let described = events.iter().filter(|_| describes);
    for ((_, event), ticks) in described.zip(session.start_ticks + MS..) {
        writer.raw(At::new(0, ticks), &event.description(SERVICE_THREAD, ticks))?;
    }
    for (ms, event) in &events {
        let at = At::new(1, session.start_ticks + ms * MS);
        writer.provider(at, SERVICE_THREAD, &event.event())?;
    }
    rundown(
        &mut writer,
        END - 3,
        (ProcessChange::RundownEnd, ThreadChange::RundownEnd),
    )?;
    let end_ticks = session.start_ticks + END;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("attention", 0, &session, end_ticks, &written);
    Ok((sink, truth))
}

/// All provider events and their times in ms.
fn events() -> [(i64, ManifestEvent); 12] {
    [
        (10, thaw(BROWSER)),
        (30, focus(SESSION, EDITOR, BROWSER)),
        (31, button(400, 30, 40)),
        (32, button(401, 31, 41)),
        (
            33,
            input(
                402,
                (12, "MouseMove"),
                vec![FLAGS, ("x", Int32(-5)), ("y", Int32(6))],
            ),
        ),
        (34, wheel(-120)),
        (35, key(65, "A")),
        (40, freeze(EDITOR)),
        (50, focus(SESSION, BROWSER, 0)),
        (60, thaw(EDITOR)),
        (70, focus(SESSION, 0, GAME)),
        (80, freeze(BROWSER)),
    ]
}

const FLAGS: (&str, Value) = ("Flags", UInt32(0));

fn button(id: u16, x: i32, y: i32) -> ManifestEvent {
    let opcode = if id == 400 {
        (10, "MouseDown")
    } else {
        (11, "MouseUp")
    };
    let right = ("Button Type", Int32(2));
    input(
        id,
        opcode,
        vec![right, FLAGS, ("x", Int32(x)), ("y", Int32(y))],
    )
}

fn wheel(delta: i32) -> ManifestEvent {
    let fields = vec![
        FLAGS,
        ("zDelta", Int32(delta)),
        ("x", Int32(7)),
        ("y", Int32(8)),
    ];
    input(403, (13, "MouseWheel"), fields)
}

fn key(code: u32, name: &'static str) -> ManifestEvent {
    let fields = vec![
        ("Virtual key code", UInt32(code)),
        ("Key name", AnsiText(name)),
        ("Repeat count", UInt32(1)),
        FLAGS,
    ];
    let task = (2, "Keyboard");
    ManifestEvent {
        task,
        ..input(404, (14, "KeyDown"), fields)
    }
}

fn input(id: u16, opcode: (u8, &'static str), fields: Vec<(&'static str, Value)>) -> ManifestEvent {
    ManifestEvent {
        provider: MULTI_INPUT,
        provider_name: "Multi-Input",
        id,
        version: 0,
        task: (1, "Mouse"),
        opcode,
        keywords: 1,
        fields,
    }
}

/// Four processes with a thread each, all there from start to end, a tick apart.
fn rundown<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    time: i64,
    changes: (ProcessChange, ThreadChange),
) -> Result<(), WriteError> {
    let start = writer.session().start_ticks;
    let images = [
        (SERVICE, "svchost.exe"),
        (EDITOR, "editor.exe"),
        (BROWSER, "browser.exe"),
        (GAME, "game.exe"),
    ];
    for ((pid, image), ticks) in images.into_iter().zip(start + time..) {
        let process = ProcessEvent {
            change: changes.0,
            version: 4,
            process: &ProcessInfo {
                session_id: SESSION,
                ..ProcessInfo::new(pid, 4, image)
            },
        };
        let thread = ThreadEvent {
            change: changes.1,
            version: 3,
            thread: &ThreadInfo::new(pid, pid + 4, 8),
        };
        let header = Header::System(SERVICE_THREAD);
        writer.kernel(At::new(0, ticks), header, &process)?;
        writer.kernel(At::new(0, ticks), header, &thread)?;
    }
    Ok(())
}
