use super::*;
use crate::event_schema::SchemaKey;
use crate::json::decode_json;
use etl::Guid;

const XML: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events">
 <instrumentation xmlns:win="http://manifests.microsoft.com/win/2004/08/windows/events"><events>
  <provider name="Tea" guid="{3d6fa8d0-fe05-11d0-9dda-00c04fd7ba7c}" symbol="TEA">
   <tasks><task name="Brew" value="1"/></tasks>
   <maps>
    <valueMap name="Kind"><map value="1" message="$(string.kind.green)"/><map value="2" message="black"/></valueMap>
    <bitMap name="With"><map value="0x1" message="milk"/><map value="0x2" message="sugar"/></bitMap>
   </maps>
   <events>
    <event value="1" version="2" level="win:Informational" task="Brew" opcode="win:Start" keywords="Hot Cold"
           template="BrewStart"/>
    <event value="2" symbol="Spilled"/>
    <event value="3" task="Brew" template="Missing"/>
    <event value="4" task="Brew" template="Backwards"/>
   </events>
   <templates>
    <template tid="BrewStart">
     <data name="kind" inType="win:UInt32" map="Kind"/>
     <data name="with" inType="win:UInt8" map="With"/>
     <data name="who &amp; where"/>
     <data name="leafSize" inType="win:UInt32"/>
     <data name="leaf" inType="win:Binary" length="leafSize"/>
     <struct name="cups" count="2">
      <data name="size" inType="win:UInt8"/>
      <data name="label" inType="win:AnsiString" length="size"/>
     </struct>
     <data name="status" inType="win:UInt32" outType="win:HResult"/>
    </template>
    <template tid="Backwards">
     <data name="leaf" inType="win:Binary" length="leafSize"/>
     <data name="leafSize" inType="win:UInt32"/>
    </template>
   </templates>
  </provider>
 </events></instrumentation>
 <localization>
  <resources culture="en-GB"><stringTable><string id="kind.green" value="green "/></stringTable></resources>
  <resources culture="de-DE"><stringTable><string id="kind.green" value="grün"/></stringTable></resources>
 </localization>
</instrumentationManifest>"#;

#[test]
fn events_are_named_and_their_payloads_decode() {
    let schemas = manifest_schemas(XML.as_bytes()).expect("a sound manifest");
    let [brew, spilled] = schemas.as_slice() else {
        panic!("two usable events, not {}", schemas.len())
    };
    let provider = Guid::new(0x3d6fa8d0_fe05_11d0_9dda_00c04fd7ba7c);
    assert_eq!(
        (brew.key, brew.version),
        (SchemaKey::Manifest { provider, id: 1 }, 2)
    );
    assert_eq!(
        (&*brew.schema.provider_name, &*brew.schema.name),
        ("Tea", "Brew/Start")
    );
    assert_eq!(*brew.schema.keywords, ["Hot".into(), "Cold".into()]);
    assert_eq!(
        (&*spilled.schema.name, spilled.schema.layout.fields()),
        ("Spilled", &[][..])
    );

    let payload = b"\x01\0\0\0\x07m\0e\0\0\0\x02\0\0\0\xAB\xCD\x01A\x02BC\x05\0\x07\x80";
    let mut out = Vec::new();
    assert_eq!(
        decode_json(&brew.schema.layout, payload, 8, &mut out),
        Ok(0)
    );
    assert_eq!(
        String::from_utf8_lossy(&out),
        r#"{"kind":"green","with":"milk|sugar|0x4","who & where":"me","leafSize":2,"leaf":"abcd","#
            .to_owned()
            + r#""cups":[{"size":1,"label":"A"},{"size":2,"label":"BC"}],"status":"0x80070005"}"#
    );
}

#[test]
fn damaged_manifests_are_refused() {
    let refused = |xml: &[u8]| manifest_schemas(xml).expect_err("no manifest").to_string();
    assert_eq!(refused(b"<a>\xFF</a>"), "schema, byte 3: expected UTF-8");
    assert_eq!(
        refused(b"<a></b>"),
        "schema, byte 3: expected well-formed XML"
    );
    assert_eq!(
        refused(b"<a b=\"1\" b=\"2\"/>"),
        "schema, byte 0: expected attributes of well-formed XML"
    );
    assert_eq!(
        refused(b"<a b=\"&bomb;\"/>"),
        "schema, byte 0: expected attributes of well-formed XML"
    );
    assert_eq!(
        refused(&b"<a/>".repeat(1 << 20)),
        "schema, byte 4194304: expected at most 1048576 elements"
    );
}

#[test]
fn every_prefix_of_a_manifest_ends() {
    for end in 0..XML.len() {
        let _ = manifest_schemas(&XML.as_bytes()[..end]);
    }
}
