//! An opened trace.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::arrangement::Arrangement;
use crate::buffer::{Buffer, TimeLimits};
use crate::clock::Clock;
use crate::damage::{Damage, DamageLog};
use crate::file::EtlFile;
use crate::index::BufferInfo;
use crate::loss::{CutEnd, Loss};
use crate::merge::{self, Merge};
use crate::open_error::{OpenError, Reason};
use crate::recording;
use crate::source::Source;
use crate::trace_header::LogFileHeader;

/// A trace, in one file or in several of one recording: headers and the index of buffers in memory, events on disk.
/// Cheap to clone; usable from several threads at once.
#[derive(Clone, Debug)]
pub struct TraceFile {
    inner: Arc<Inner>,
    arrangement: Option<Arc<Arrangement>>,
}

#[derive(Debug)]
struct Inner {
    files: Vec<Arc<EtlFile>>,
    left_out: Vec<String>,
    header: LogFileHeader,
    clock: Clock,
    limits: TimeLimits,
    buffers: Vec<BufferInfo>,
    losses: Vec<Loss>,
    cut_ends: Vec<CutEnd>,
    damage: DamageLog,
}

impl TraceFile {
    /// Opens a trace: an `.etl`, or an archive (gzip, ZIP, cabinet) with one or several in it, told apart by content.
    /// Archives are unpacked to temporary files that have no name and go away with the last clone of this.
    ///
    /// # Errors
    /// If nothing in the file can be read as a trace. A file with a readable part opens; see [`TraceFile::damage`].
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        Self::open_all(&[path])
    }

    /// Opens the files of one recording as one trace, such as those of the kernel's session and of the providers'. Each
    /// may be an archive; of an archive with several recordings, that of its largest file is taken, and
    /// [`TraceFile::left_out`] names the other files.
    ///
    /// # Errors
    /// If one of them cannot be read as a trace, or is of another recording than the first.
    pub fn open_all<P: AsRef<Path>>(paths: &[P]) -> Result<Self, OpenError> {
        let (mut files, mut left_out): (Vec<Arc<EtlFile>>, _) = (Vec::new(), Vec::new());
        for path in paths {
            let path = path.as_ref();
            let in_path = |reason| OpenError {
                path: path.to_owned(),
                reason,
            };
            for file in recording::files_at(path, &mut left_out).map_err(in_path)? {
                for other in &files {
                    recording::check(other, &file).map_err(in_path)?;
                }
                files.push(Arc::new(file));
            }
        }
        Self::of(files, left_out)
    }

    /// A trace whose file content is in memory, not in an archive.
    ///
    /// # Errors
    /// If nothing in it can be read as a trace; the path in the error is `(memory)`.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, OpenError> {
        const NAME: &str = "(memory)";
        EtlFile::open(NAME.into(), Source::Memory(bytes), DamageLog::default())
            .map_err(|reason| OpenError {
                path: NAME.into(),
                reason,
            })
            .and_then(|file| Self::of(vec![Arc::new(file)], Vec::new()))
    }

    fn of(files: Vec<Arc<EtlFile>>, left_out: Vec<String>) -> Result<Self, OpenError> {
        let (header, clock) = recording::header(&files).ok_or_else(|| OpenError {
            path: PathBuf::new(),
            reason: Reason::Empty,
        })?;
        let (mut buffers, mut losses, mut cut_ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut damage = DamageLog::default();
        for (number, file) in (0..).zip(&files) {
            let own_losses = file.losses.iter().map(|loss| Loss {
                before_buffer: buffers.len() + loss.before_buffer,
                ..*loss
            });
            losses.extend(own_losses);
            cut_ends.extend(file.cut_end.map(|end| CutEnd {
                file: number,
                ..end
            }));
            let mixes_processors = file.header.mixes_processors();
            buffers.extend(file.buffers.iter().map(|buffer| BufferInfo {
                file: number,
                mixes_processors,
                ..*buffer
            }));
            for item in file.damage.items() {
                damage.push(Damage {
                    file: number,
                    ..item.clone()
                });
            }
        }
        let limits = TimeLimits {
            start_raw: clock.start_raw,
            absurd_after_raw: clock.absurd_after_raw(),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                files,
                left_out,
                header,
                clock,
                limits,
                buffers,
                losses,
                cut_ends,
                damage,
            }),
            arrangement: None,
        })
    }

    /// The same trace with the buffers of each processor in the order of time, and with events that lie in the buffer after
    /// the one of their time where they belong. By a buffer's index, `times` answers the raw times of its first event and
    /// its last; `None` without events.
    #[must_use]
    pub fn arranged(&self, times: impl Fn(u32) -> Option<(i64, i64)>) -> Self {
        let arrangement = Arrangement::new(merge::orders(self), self.buffers(), times);
        Self {
            inner: self.inner.clone(),
            arrangement: Some(Arc::new(arrangement)),
        }
    }

    /// The indices of the buffers that have other events since the trace was [arranged](TraceFile::arranged), ascending.
    pub fn changed_buffers(&self) -> Vec<usize> {
        let arrangement = self.arrangement.iter();
        arrangement
            .flat_map(|arrangement| arrangement.strays.keys().copied())
            .collect()
    }

    /// The same trace without one of its files.
    ///
    /// # Errors
    /// If that file did not come in an archive with others: the user named it, and must choose.
    pub fn without(&self, file: u16, other: u16, why: &str) -> Result<Self, OpenError> {
        let name = |number| self.file_name(number).unwrap_or_default().to_owned();
        let reason = Reason::OtherRecording {
            other: name(other),
            why: why.to_owned(),
        };
        let at = usize::from(file);
        let (mut files, mut left_out) = (self.inner.files.clone(), self.inner.left_out.clone());
        if !files.get(at).is_some_and(|file| file.is_member) {
            return Err(OpenError {
                path: name(file).into(),
                reason,
            });
        }
        left_out.push(recording::left_out(&name(file), &reason));
        files.remove(at);
        Self::of(files, left_out)
    }

    /// What the log-file header says; of several files, that of the earliest, with the losses of all.
    pub fn header(&self) -> &LogFileHeader {
        &self.inner.header
    }

    /// The log-file header of each file.
    pub fn headers(&self) -> impl Iterator<Item = &LogFileHeader> {
        self.inner.files.iter().map(|file| &file.header)
    }

    /// The index of each file's first buffer.
    pub(crate) fn file_starts(&self) -> Vec<u32> {
        let files = self.inner.files.iter();
        let starts = files.scan(0_u32, |next, file| {
            let count = u32::try_from(file.buffers.len()).unwrap_or(u32::MAX);
            Some(std::mem::replace(next, next.saturating_add(count)))
        });
        starts.collect()
    }

    /// The name of a file by its number, in [`BufferInfo::file`] and [`Damage::file`]; `None` where there is only one.
    pub fn file_name(&self, file: u16) -> Option<&str> {
        let files = &self.inner.files;
        let file = files.get(usize::from(file))?;
        (files.len() > 1).then_some(file.name.as_str())
    }

    /// Files of archives that are not part of this trace, each with the reason, for the user.
    pub fn left_out(&self) -> &[String] {
        &self.inner.left_out
    }

    /// The clock of the trace's timestamps. Its start is that of the earliest file.
    pub fn clock(&self) -> Clock {
        self.inner.clock
    }

    /// All buffers that can be read, file by file, in file order.
    pub fn buffers(&self) -> &[BufferInfo] {
        &self.inner.buffers
    }

    /// Size of the (unpacked) files in bytes.
    pub fn size_bytes(&self) -> u64 {
        let sizes = self.inner.files.iter();
        sizes.map(|file| file.source.size_bytes()).sum()
    }

    /// What of the header and the index could not be read; damage inside buffers is found when those are read.
    pub fn damage(&self) -> &DamageLog {
        &self.inner.damage
    }

    /// Signs in the buffers' headers that something was lost while recording, by buffer. The log-file header counts
    /// losses on its own ([`LogFileHeader::events_lost`]); neither implies the other.
    pub fn losses(&self) -> &[Loss] {
        &self.inner.losses
    }

    /// Whether a file has as many buffers as were written by its log-file header, and that says that none was lost. Then a
    /// missing number need not be that of a missing buffer: one that a processor took and never filled is not written.
    pub fn is_whole(&self, file: u16) -> bool {
        let file = self.inner.files.get(usize::from(file));
        file.is_some_and(|file| file.is_whole)
    }

    /// The files whose last buffers are missing, ascending.
    pub fn cut_ends(&self) -> &[CutEnd] {
        &self.inner.cut_ends
    }

    /// Fills `buffer` with the buffer at `index` of [`TraceFile::buffers`]: reads and, where needed, inflates it, and
    /// finds its events. What could be read before a damaged place is kept; see [`Buffer::damage`].
    ///
    /// # Errors
    /// The first damage in the buffer.
    pub fn read_buffer(&self, index: usize, buffer: &mut Buffer) -> Result<(), Damage> {
        self.read_as_it_lies(index, buffer);
        let arrangement = self.arrangement.as_ref();
        if let Some(strays) = arrangement.and_then(|arrangement| arrangement.strays.get(&index)) {
            buffer.give(&strays.given);
            if let Some((other, times)) = &strays.taken {
                let mut next = Buffer::new();
                self.read_as_it_lies(*other, &mut next);
                buffer.take(&next, times);
            }
        }
        buffer
            .damage()
            .first()
            .map_or(Ok(()), |damage| Err(damage.clone()))
    }

    fn read_as_it_lies(&self, index: usize, buffer: &mut Buffer) {
        const NOTHING: &Source = &Source::Memory(Vec::new());
        let info = self.inner.buffers.get(index).copied().unwrap_or_default();
        let file = self.inner.files.get(usize::from(info.file));
        let source = file.map_or(NOTHING, |file| &file.source);
        buffer.read(source, index, info, self.inner.limits);
    }

    /// For each file and each processor in ascending order, the indices of its buffers in the order of time: that of the
    /// file, in a circular one that of the sequence numbers, or the one that the trace was [arranged](TraceFile::arranged)
    /// in. Buffers that hold context switches alone are an order of their own.
    pub fn reading_orders(&self) -> Vec<Vec<u32>> {
        match &self.arrangement {
            Some(arrangement) => arrangement.orders.clone(),
            None => merge::orders(self),
        }
    }

    /// All events in time order, read ahead by a thread of its own. That thread calls `prepare` once for each buffer
    /// before the first of its events comes; the outcome comes along with each event of the buffer.
    pub fn merge<T, F>(&self, prepare: F) -> Merge<T>
    where
        T: Send + 'static,
        F: Fn(&Buffer) -> T + Send + 'static,
    {
        Merge::new(self.clone(), |_| Some(i64::MIN), prepare)
    }

    /// The same where it is known already when each buffer begins: no buffer is read long before it is needed. By a buffer's
    /// index, `first_time` answers the raw time of its first event; `None` if it has no events, and is not read.
    pub fn merge_known<T, F>(&self, first_time: impl Fn(u32) -> Option<i64>, prepare: F) -> Merge<T>
    where
        T: Send + 'static,
        F: Fn(&Buffer) -> T + Send + 'static,
    {
        Merge::new(self.clone(), first_time, prepare)
    }
}

#[cfg(test)]
#[path = "trace_file_tests.rs"]
mod tests;
