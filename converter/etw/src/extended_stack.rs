//! Stacks in the header of an event, as sessions record them for the events of providers.
//!
//! Source: `evntcons.h` (`EVENT_EXTENDED_ITEM_STACK_TRACE32`, `…64`, `…STACK_KEY32`, `…64`); the form with 64-bit
//! addresses read back from files of Windows 7, 8 and 10. Each begins with a match id, which is 0 in all of them: it is
//! another number where only one half of the stack stands here.

use etl::{Event, extended_type};

use crate::payload::{Payload, PointerWidth};
use crate::stack_walk::Addresses;

/// The stack of the event whose header it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExtendedStack<'a> {
    /// Its addresses, of kernel and user code together.
    Addresses(Addresses<'a>),
    /// Stands for the stack that the key's next definition tells.
    Key(u64),
}

/// The stacks in an event's header with their match ids; empty ones are left out.
pub fn extended_stacks<'a>(event: &Event<'a>) -> impl Iterator<Item = (u64, ExtendedStack<'a>)> {
    event
        .extended()
        .filter_map(|item| extended_stack(item.item_type, item.data))
}

fn extended_stack(item_type: u16, data: &[u8]) -> Option<(u64, ExtendedStack<'_>)> {
    use extended_type::{STACK_32, STACK_64, STACK_KEY_32, STACK_KEY_64};
    let width = match item_type {
        STACK_32 | STACK_KEY_32 => PointerWidth::Bits32,
        STACK_64 | STACK_KEY_64 => PointerWidth::Bits64,
        _ => return None,
    };
    let mut payload = Payload::new(data);
    let match_id = payload.u64()?;
    if matches!(item_type, STACK_KEY_32 | STACK_KEY_64) {
        return Some((match_id, ExtendedStack::Key(payload.pointer(width)?)));
    }
    let addresses = Addresses::of(payload.rest(), width);
    addresses
        .iter()
        .next()
        .map(|_| (match_id, ExtendedStack::Addresses(addresses)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATCH_ID: [u8; 8] = [0; 8];

    fn addresses(item_type: u16, data: &[u8]) -> Option<Vec<u64>> {
        match extended_stack(item_type, data)? {
            (0, ExtendedStack::Addresses(addresses)) => Some(addresses.iter().collect()),
            _ => None,
        }
    }

    #[test]
    fn addresses_of_both_widths_without_the_zero_between_the_halves() {
        let narrow = [&MATCH_ID[..], &[1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0x80]].concat();
        assert_eq!(addresses(5, &narrow), Some(vec![1, 0x8000_0002]));
        let wide = [&MATCH_ID[..], &0x7ff6_0000_1000_u64.to_le_bytes()].concat();
        assert_eq!(addresses(6, &wide), Some(vec![0x7ff6_0000_1000]));
    }

    #[test]
    fn keys_of_both_widths() {
        let data = [&MATCH_ID[..], &0x7700_0000_0011_u64.to_le_bytes()].concat();
        assert_eq!(
            extended_stack(0x11, &data),
            Some((0, ExtendedStack::Key(0x11)))
        );
        let key = ExtendedStack::Key(0x7700_0000_0011);
        assert_eq!(extended_stack(0x12, &data), Some((0, key)));
    }

    #[test]
    fn other_items_and_empty_stacks_are_none() {
        assert_eq!(extended_stack(1, &[1; 16]), None);
        assert_eq!(extended_stack(6, &MATCH_ID), None);
        assert_eq!(extended_stack(6, &[0; 16]), None);
        assert_eq!(extended_stack(0x12, &MATCH_ID), None);
    }
}
