//! The sink that only counts: what following the state costs, without writing.

use crate::event::GenericEvent;
use crate::image::Image;
use crate::interrupt::Interrupted;
use crate::io::{DiskIo, FileIo, HardFault};
use crate::life::{ProcessLife, ThreadLife};
use crate::loss::Lost;
use crate::run::{IdealCpu, Run, RunBefore, RunCounter, Switch};
use crate::sink::Sink;
use crate::stack::{Call, CounterSample, EventStack, Frame, Mapping, Sample};
use crate::standing::{Affinity, Focus, Freeze, Input, Service, Suspend};
use crate::wait::{Ready, ReadyWait};

/// A count for each of these methods of [`Sink`], named as the method is.
macro_rules! counting {
    ($($method:ident($($argument:ty),*);)*) => {
        /// How many facts of each kind there are.
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        pub struct FactCounts {
            $($method: u64,)*
        }

        impl FactCounts {
            /// The counts, with what is counted.
            #[must_use]
            pub fn named(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($method), self.$method),)*]
            }
        }

        impl Sink for FactCounts {
            $(
                #[inline]
                fn $method(&mut self, $(_: $argument),*) {
                    self.$method += 1;
                }
            )*
        }
    };
}

counting! {
    switch(&Switch);
    run(&Run);
    run_before(&RunBefore);
    run_unknown(u64, u16);
    ideal_cpu(&IdealCpu);
    run_counter(&RunCounter);
    ready(&Ready);
    ready_wait(&ReadyWait);
    interrupt(&Interrupted);
    process(&ProcessLife);
    thread_begins(u64, &ThreadLife);
    thread(&ThreadLife);
    image(u64, &Image);
    mapping(&Mapping);
    frame(Frame);
    call(Call);
    sample(&Sample);
    counter_sample(&CounterSample);
    event_stack(&EventStack);
    affinity(&Affinity);
    freeze(&Freeze);
    focus(&Focus);
    input(&Input);
    service(&Service);
    suspend(&Suspend);
    generic_event(&GenericEvent<'_>);
    disk_io(&DiskIo);
    file_io(&FileIo);
    hard_fault(&HardFault);
    loss(&Lost);
}
