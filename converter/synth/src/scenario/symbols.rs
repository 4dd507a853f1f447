//! `symbols`: samples in a program and in the kernel, whose PDBs are written too; in a library whose PDB is nowhere, and in one
//! that no PDB is known of.

use std::io::{self, Seek, Write};
use std::path::Path;

use super::Options;
use super::crowd::{pid, rundown};
use crate::events::image::{DebugId, ImageChange, ImageEvent};
use crate::events::profile::{CollectionStart, SampledProfile, StackWalk};
use crate::file::bytes::Guid;
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::pdb::{Function, Pdb, Public};
use crate::truth::Truth;

const BUFFER_BYTES: u32 = 0x1_0000;
const MS: i64 = 10_000;
/// How many samples there are, 1 ms apart: of four, two are in the program, one in the kernel, one in the library without
/// identity.
pub const SAMPLES: u32 = 400;

const KERNEL: u64 = 0xFFFF_F800_1000_0000;
const PROGRAM: u64 = 0x7FF6_0000_0000;
const NTDLL: u64 = 0x7FFE_1000_0000;
const PLUGIN: u64 = 0x7FFD_4000_0000;
const IMAGE_BYTES: u32 = 0x10_0000;

const PROGRAM_GUID: u128 = 0x0a1b_2c3d_4e5f_6071_8293_a4b5_c6d7_e8f9;
const KERNEL_GUID: u128 = 0x3844_dbb9_2017_4967_be7a_a4a2_c204_30fa;
const NTDLL_GUID: u128 = 0x1111_2222_3333_4444_5555_6666_7777_8888;

const FUNCTIONS: [Function<'_>; 4] = [
    function("main", 0x1000, 0x200, 10),
    function("Page::layout", 0x1200, 0x400, 40),
    function("Page::paint", 0x1600, 0x100, 120),
    // It lies where the call that ends `Page::paint` would return to.
    function("Page::after", 0x1700, 0x100, 140),
];
const PUBLICS: [Public<'_>; 2] = [
    Public {
        name: "KiPageFault",
        rva: 0x2000,
    },
    Public {
        name: "?InsertWork@Queue@@QEAAXH@Z",
        rva: 0x3000,
    },
];

const fn function(name: &str, rva: u32, size_bytes: u32, line: u32) -> Function<'_> {
    Function {
        name,
        rva,
        size_bytes,
        line,
    }
}

/// Writes the trace.
///
/// # Errors
/// Fails if the sink fails.
pub fn write<W: Write + Seek>(sink: W, options: Options) -> Result<(W, Truth), WriteError> {
    let mut writer = options.writer(sink, 1, BUFFER_BYTES)?;
    let session = writer.session().clone();
    let start = CollectionStart { interval: 10_000 };
    writer.kernel(At::new(0, session.start_ticks), Header::PerfInfo, &start)?;
    let ticks = rundown(&mut writer, session.start_ticks, false)?;
    let began = images(&mut writer, ticks)? + MS;
    for number in 0..SAMPLES {
        let ticks = began + i64::from(number) * MS;
        let step = u64::from(number / 4 % 64);
        let from_main = [PROGRAM + 0x1080, NTDLL + 0x5_AF38];
        match number % 4 {
            0 | 1 => sample(
                &mut writer,
                ticks,
                &[],
                &[PROGRAM + 0x1200 + 16 * step, from_main[0], from_main[1]],
            )?,
            2 => {
                let user = [PROGRAM + 0x1700, from_main[0], from_main[1]];
                sample(
                    &mut writer,
                    ticks,
                    &[KERNEL + 0x2000 + step, KERNEL + 0x3010],
                    &user,
                )?;
            }
            _ => sample(
                &mut writer,
                ticks,
                &[],
                &[PLUGIN + 0x4000 + step, from_main[0], from_main[1]],
            )?,
        }
    }
    let end_ticks = rundown(&mut writer, began + i64::from(SAMPLES) * MS, true)? + MS;
    let (sink, written) = writer.finish(end_ticks)?;
    let truth = Truth::new("symbols", options.seed, &session, end_ticks, &written);
    Ok((sink, truth))
}

/// Writes the PDBs into a folder, as a symbol store keeps them.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn write_pdbs(store: &Path) -> io::Result<()> {
    let program = Pdb {
        guid: Guid::from_u128(PROGRAM_GUID),
        age: 2,
        code_bytes: 0x1000,
        publics: &[],
        file: r"D:\build\browser\page.cpp",
        functions: &FUNCTIONS,
    };
    let kernel = Pdb {
        guid: Guid::from_u128(KERNEL_GUID),
        age: 1,
        code_bytes: 0x8000,
        publics: &PUBLICS,
        file: "",
        functions: &[],
    };
    program.put_in_store(store, "browser.pdb", PROGRAM_GUID)?;
    kernel.put_in_store(store, "ntkrnlmp.pdb", KERNEL_GUID)
}

/// A sample of the program's first thread, with its stack, the innermost first.
fn sample<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    kernel: &[u64],
    user: &[u64],
) -> Result<(), WriteError> {
    let (pid, tid) = (pid(0), pid(0) + 4);
    let event = SampledProfile {
        version: 2,
        instruction_pointer: kernel.first().or(user.first()).copied().unwrap_or(0),
        tid,
        flags: 0,
        priority: 8,
        rank: 0,
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &event)?;
    for (half, delay) in [kernel, user].into_iter().zip(1..) {
        if half.is_empty() {
            continue;
        }
        let stack = StackWalk {
            event_ticks: ticks,
            pid,
            tid,
            addresses: half.to_vec(),
        };
        writer.kernel(At::new(0, ticks + delay), Header::PerfInfo, &stack)?;
    }
    Ok(())
}

/// The rundown of the images, with the identities that a merge writes before them; answers when it was done.
fn images<W: Write + Seek>(writer: &mut TraceWriter<W>, mut ticks: i64) -> Result<i64, WriteError> {
    let program = pid(0);
    let identity = |base, pid, guid, age, pdb_path| DebugId {
        base,
        pid,
        guid: Guid::from_u128(guid),
        age,
        pdb_path,
    };
    let loaded = [
        (
            0,
            KERNEL,
            r"\SystemRoot\system32\ntoskrnl.exe",
            Some(identity(KERNEL, 0, KERNEL_GUID, 1, "ntkrnlmp.pdb")),
        ),
        (
            program,
            PROGRAM,
            r"\Device\HarddiskVolume3\Programs\browser.exe",
            Some(identity(
                PROGRAM,
                program,
                PROGRAM_GUID,
                2,
                r"D:\build\browser\browser.pdb",
            )),
        ),
        (
            program,
            NTDLL,
            r"\Device\HarddiskVolume3\Windows\System32\ntdll.dll",
            Some(identity(NTDLL, program, NTDLL_GUID, 1, "ntdll.pdb")),
        ),
        (
            program,
            PLUGIN,
            r"\Device\HarddiskVolume3\Programs\plugin.dll",
            None,
        ),
    ];
    for (pid, base, path, identity) in loaded {
        ticks += 8;
        let at = At::new(0, ticks);
        if let Some(identity) = identity {
            writer.raw(at, &identity.event(ticks))?;
        }
        let image = ImageEvent {
            change: ImageChange::RundownStart,
            version: 3,
            base,
            size_bytes: IMAGE_BYTES,
            pid,
            path,
        };
        writer.kernel(at, Header::System(Default::default()), &image)?;
    }
    Ok(ticks + 8)
}
