//! Kernel events written under a class GUID (§4.1): the same events as those written under a hook id.

use crate::event::HookId;
use crate::guid::Guid;

const IMAGE_GROUP: u8 = 0x14;
const IMAGE_LOAD_TYPE: u8 = 10;
const IMAGE_LOAD: HookId = HookId(0x030A);

const GROUPS: [(Guid, u8); 21] = [
    (Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c), 0x03),
    (Guid::new(0x3d6fa8d1_fe05_11d0_9dda_00c04fd7ba7c), 0x05),
    (
        Guid::new(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518),
        IMAGE_GROUP,
    ),
    (Guid::new(0xce1dbfb4_137e_4da6_87b0_3f59aa102cbc), 0x0F),
    (Guid::new(0xdef2fe46_7bd6_4b80_bd94_f57fe20d0ce3), 0x18),
    (Guid::new(0x3d6fa8d4_fe05_11d0_9dda_00c04fd7ba7c), 0x01),
    (Guid::new(0x3d6fa8d3_fe05_11d0_9dda_00c04fd7ba7c), 0x02),
    (Guid::new(0x90cbdc39_4a3e_11d1_84f4_0000f80464e3), 0x04),
    (Guid::new(0x68fdd900_4a3e_11d1_84f4_0000f80464e3), 0x00),
    (Guid::new(0x9a280ac0_c8e0_11d1_84e2_00c04fb998a2), 0x06),
    (Guid::new(0x3282fc76_feed_498e_8aa7_e70f459d430e), 0x07),
    (Guid::new(0xbf3a50c5_a9c9_4988_a005_2df0b7c80f80), 0x08),
    (Guid::new(0xae53722e_c863_11d2_8659_00c04fa321a1), 0x09),
    (Guid::new(0x01853a65_418f_4f36_aefc_dc0f1d2fd235), 0x0B),
    (Guid::new(0x0268a8b6_74fd_4302_9dd0_6e8f1795c0cf), 0x0E),
    (Guid::new(0x222962ab_6180_4b88_a825_346b75f2a24a), 0x10),
    (Guid::new(0x89497f50_effe_4440_8cf2_ce6b1cdcaca7), 0x11),
    (Guid::new(0xe43445e0_0903_48c3_b878_ff0fccebdd04), 0x12),
    (Guid::new(0x45d8cccd_539f_4b72_a8b7_5c683142609a), 0x1A),
    (Guid::new(0xd837ca92_12b9_44a5_ad6a_3a65b3578aa8), 0x1B),
    (Guid::new(0xc861d0e2_a2c1_4d36_9f9c_970bab943a12), 0x1C),
];

/// The hook id of the kernel event with this class and type; `None` for a class that is not the kernel's.
pub(crate) fn hook_id(class: Guid, event_type: u8) -> Option<HookId> {
    let (_, group) = GROUPS.iter().find(|(guid, _)| *guid == class)?;
    // A loaded image is an Image event by class, but its hook id is in the Process group.
    if *group == IMAGE_GROUP && event_type == IMAGE_LOAD_TYPE {
        return Some(IMAGE_LOAD);
    }
    Some(HookId::new(*group, event_type))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_and_type_give_the_hook_id() {
        let process = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
        let image = Guid::new(0x2cb15d1d_5fc1_11d2_abe1_00a0c911f518);
        let image_id = Guid::new(0xb3e675d7_2554_4f18_830b_2762732560de);
        assert_eq!(hook_id(process, 1), Some(HookId(0x0301)));
        assert_eq!(hook_id(image, 10), Some(HookId(0x030A)));
        assert_eq!(hook_id(image, 3), Some(HookId(0x1403)));
        assert_eq!(hook_id(image_id, 0), None);
    }
}
