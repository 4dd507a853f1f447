//! A thread that reads and inflates buffers before they are needed.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use crate::buffer::Buffer;
use crate::trace_file::TraceFile;

struct Request {
    stream: usize,
    index: usize,
    spare: Buffer,
}

/// A buffer that was asked for.
pub(crate) struct Reply<T> {
    /// For which stream.
    pub(crate) stream: usize,
    pub(crate) buffer: Buffer,
    pub(crate) prepared: T,
}

/// Reads buffers on a thread of its own, in the order they are asked for.
pub(crate) struct ReadAhead<T> {
    /// `None` once the thread is to end.
    requests: Option<Sender<Request>>,
    replies: Receiver<Reply<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> ReadAhead<T> {
    pub(crate) fn new(trace: TraceFile, prepare: impl Fn(&Buffer) -> T + Send + 'static) -> Self {
        let (requests, incoming) = channel::<Request>();
        let (outgoing, replies) = channel();
        let thread = thread::spawn(move || {
            for Request {
                stream,
                index,
                spare: mut buffer,
            } in incoming
            {
                // The damage stays in the buffer.
                let _ = trace.read_buffer(index, &mut buffer);
                let prepared = prepare(&buffer);
                if outgoing
                    .send(Reply {
                        stream,
                        buffer,
                        prepared,
                    })
                    .is_err()
                {
                    break;
                }
            }
        });
        Self {
            requests: Some(requests),
            replies,
            thread: Some(thread),
        }
    }
}

impl<T> ReadAhead<T> {
    /// Asks for the buffer at `index` of the trace, to be read into `spare`.
    pub(crate) fn request(&mut self, stream: usize, index: usize, spare: Buffer) {
        let request = Request {
            stream,
            index,
            spare,
        };
        let sent = self
            .requests
            .as_ref()
            .is_some_and(|requests| requests.send(request).is_ok());
        if !sent {
            self.pass_on_panic();
        }
    }

    /// Waits for the next buffer that was asked for. `None` only after the thread has ended.
    pub(crate) fn wait(&mut self) -> Option<Reply<T>> {
        match self.replies.recv() {
            Ok(reply) => Some(reply),
            Err(_) => {
                self.pass_on_panic();
                None
            }
        }
    }

    /// The thread ends early only by a panic in `prepare`, which belongs to the caller.
    fn pass_on_panic(&mut self) {
        if let Some(Err(panic)) = self.thread.take().map(JoinHandle::join) {
            std::panic::resume_unwind(panic);
        }
    }
}

impl<T> Drop for ReadAhead<T> {
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
