//! The bytes of real traces, without the readers under test.

use std::fs::File;
use std::io::Read;
use std::path::Path;

/// All real traces by their paths in the folder.
pub const FILES: [&str; 13] = [
    "AMSITrace.etl",
    "SelfDescribingSingleEvent.etl",
    "ShutdownPerfDiagLogger.etl",
    "TraceLoggingTester.etl.gz",
    "classic/image_data_64_v0.etl",
    "classic/image_data_64_v1.etl",
    "classic/image_data_64_v2.etl",
    "classic/process_data_64_v2.etl",
    "classic/process_data_64_v3.etl",
    "classic/test_data_32_v1.etl",
    "diaghub.kernel.1.etl.gz",
    "gcevents.etl.zip",
    "net.4.5.2.x64.etl.zip",
];

/// The bytes of a trace, unpacked.
pub fn unpacked(path: &Path) -> Vec<u8> {
    let mut file = File::open(path).expect("a real trace opens");
    let mut bytes = Vec::new();
    let extension = path.extension().unwrap_or_default();
    if extension == "gz" {
        let mut unpacker = flate2::read::GzDecoder::new(file);
        unpacker
            .read_to_end(&mut bytes)
            .expect("a real trace unpacks");
    } else if extension == "zip" {
        let mut archive = zip::ZipArchive::new(file).expect("a real archive opens");
        let mut member = archive.by_index(0).expect("a real archive has a file");
        member
            .read_to_end(&mut bytes)
            .expect("a real trace unpacks");
    } else {
        file.read_to_end(&mut bytes).expect("a real trace is read");
    }
    bytes
}
