//! Samples and an interrupt.

use std::io::{self, Seek, Write};
use std::path::Path;

use super::super::crowd::{KERNEL, image_rundown, pid, program_base};
use super::{Bound, MS};
use crate::events::image::{DebugId, ImageChange, ImageEvent};
use crate::events::interrupt::{Interrupt, InterruptKind};
use crate::events::profile::{SampledProfile, StackWalk};
use crate::file::bytes::Guid;
use crate::file::event::{At, Header};
use crate::file::writer::{TraceWriter, WriteError};
use crate::pdb::{Pdb, Public};

/// Address and path of a driver.
const DRIVER: (u64, &str) = (
    0xFFFF_F800_3000_0000,
    r"\SystemRoot\System32\drivers\slow.sys",
);
const DRIVER_BYTES: u32 = 0x1_0000;
/// The kernel's routine that lets the processor spin.
const STALL: Public<'_> = Public {
    name: "KeStallExecutionProcessor",
    rva: 0x2000,
};
const KERNEL_GUID: u128 = 0x3844_dbb9_2017_4967_be7a_a4a2_c204_30fb;

/// Between two samples, in units of 100 ns.
pub fn interval(bound: Bound, just_not: bool) -> u32 {
    10_000 - u32::from(bound == Bound::DriverStall && just_not)
}

/// 101 samples, 1 ms apart, so many of them in the kernel.
pub fn kernel_share<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
    in_kernel: i64,
) -> Result<i64, WriteError> {
    let began = image_rundown(writer, began, &[])?;
    for number in 0..=100 {
        let address = if number < in_kernel {
            KERNEL.1 + 0x4000
        } else {
            program_base(0) + 0x1000
        };
        sample(writer, began + number * MS, &[address])?;
    }
    Ok(began + 100 * MS)
}

/// A sample in a stall that a driver asked for.
pub fn driver_stall<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
) -> Result<i64, WriteError> {
    let identity = DebugId {
        base: KERNEL.1,
        pid: 0,
        guid: Guid::from_u128(KERNEL_GUID),
        age: 1,
        pdb_path: "ntkrnlmp.pdb",
    };
    writer.raw(At::new(0, began), &identity.event(began))?;
    let began = images(writer, began)?;
    let stall = KERNEL.1 + u64::from(STALL.rva) + 0x10;
    sample(writer, began, &[stall, DRIVER.0 + 0x2040])?;
    Ok(began)
}

/// Writes the PDB that names the routine in which the driver stalls into a folder, as a symbol store keeps it.
///
/// # Errors
/// Fails if the folder cannot be written.
pub fn write_pdb(store: &Path) -> io::Result<()> {
    let pdb = Pdb {
        guid: Guid::from_u128(KERNEL_GUID),
        age: 1,
        code_bytes: 0x8000,
        publics: &[STALL],
        file: "",
        functions: &[],
    };
    pdb.put_in_store(store, "ntkrnlmp.pdb", KERNEL_GUID)
}

/// A DPC of a driver that takes 1 ms less `short` ticks.
pub fn long_dpc<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    began: i64,
    short: i64,
) -> Result<i64, WriteError> {
    let began = images(writer, began)?;
    let dpc = Interrupt {
        kind: InterruptKind::Dpc,
        initial_ticks: began + short,
        routine: DRIVER.0 + 0x10,
    };
    writer.kernel(At::new(0, began + MS), Header::PerfInfo, &dpc)?;
    Ok(began + MS)
}

/// The rundown of all images, the driver's among them.
fn images<W: Write + Seek>(writer: &mut TraceWriter<W>, ticks: i64) -> Result<i64, WriteError> {
    let ticks = image_rundown(writer, ticks, &[])?;
    let image = ImageEvent {
        change: ImageChange::RundownStart,
        version: 3,
        base: DRIVER.0,
        size_bytes: DRIVER_BYTES,
        pid: 0,
        path: DRIVER.1,
    };
    writer.kernel(
        At::new(0, ticks),
        Header::System(Default::default()),
        &image,
    )?;
    Ok(ticks + MS)
}

/// A sample of the browser's first thread in the kernel or in its program, with its stack, the innermost first.
fn sample<W: Write + Seek>(
    writer: &mut TraceWriter<W>,
    ticks: i64,
    addresses: &[u64],
) -> Result<(), WriteError> {
    let (pid, tid) = (pid(0), pid(0) + 4);
    let event = SampledProfile {
        version: 2,
        instruction_pointer: addresses.first().copied().unwrap_or(0),
        tid,
        flags: 0,
        priority: 8,
        rank: 0,
    };
    writer.kernel(At::new(0, ticks), Header::PerfInfo, &event)?;
    let stack = StackWalk {
        event_ticks: ticks,
        pid,
        tid,
        addresses: addresses.to_vec(),
    };
    writer.kernel(At::new(0, ticks + 1), Header::PerfInfo, &stack)
}
