//! Buffers are read and inflated before they are needed, in parallel with the work on earlier buffers.

use std::convert::Infallible;

use beside::{Beside, Work};

use crate::buffer::Buffer;
use crate::trace_file::TraceFile;

/// Buffers that may wait to be read; who asks for more waits too. There are as many only where buffers are small.
const WAITING_MAX: usize = 64;

/// A buffer that was asked for.
pub(crate) struct Reply<T> {
    /// For which stream.
    pub(crate) stream: usize,
    pub(crate) buffer: Buffer,
    pub(crate) prepared: T,
}

/// A buffer on its way.
struct Request<T> {
    stream: usize,
    index: usize,
    buffer: Buffer,
    /// `None` until it is read.
    prepared: Option<T>,
}

struct Reading<T> {
    trace: TraceFile,
    prepare: Box<dyn Fn(&Buffer) -> T + Send>,
}

impl<T: Send + 'static> Work for Reading<T> {
    type Item = Request<T>;
    type Error = Infallible;

    fn take(&mut self, request: &mut Request<T>) -> Result<(), Infallible> {
        // The damage stays in the buffer.
        let _ = self.trace.read_buffer(request.index, &mut request.buffer);
        request.prepared = Some((self.prepare)(&request.buffer));
        Ok(())
    }
}

/// Reads buffers in the order they are asked for.
pub(crate) struct ReadAhead<T: Send + 'static>(Beside<Reading<T>>);

impl<T: Send + 'static> ReadAhead<T> {
    pub(crate) fn new(trace: TraceFile, prepare: impl Fn(&Buffer) -> T + Send + 'static) -> Self {
        let prepare = Box::new(prepare);
        Self(Beside::begin(Reading { trace, prepare }, WAITING_MAX))
    }

    /// Asks for the buffer at `index` of the trace, to be read into `spare`.
    pub(crate) fn request(&mut self, stream: usize, index: usize, spare: Buffer) {
        self.0.hand_over(Request {
            stream,
            index,
            buffer: spare,
            prepared: None,
        });
    }

    /// Waits for the next buffer that was asked for.
    pub(crate) fn wait(&mut self) -> Option<Reply<T>> {
        let Request {
            stream,
            buffer,
            prepared,
            ..
        } = self.0.wait()?;
        Some(Reply {
            stream,
            buffer,
            prepared: prepared?,
        })
    }
}
