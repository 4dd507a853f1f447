//! The container of a PDB: streams in blocks (LLVM, "The MSF File Format").

const MAGIC: &[u8; 32] = b"Microsoft C/C++ MSF 7.00\r\n\x1aDS\0\0\0";
const BLOCK: usize = 4096;
/// The superblock and the two maps of free blocks.
const FIRST_FREE: usize = 3;

/// A file of these streams.
#[must_use]
pub fn file(streams: &[Vec<u8>]) -> Vec<u8> {
    let mut blocks: Vec<u8> = Vec::new();
    let mut directory = Vec::new();
    put(&mut directory, streams.len());
    for stream in streams {
        put(&mut directory, stream.len());
    }
    for stream in streams {
        for block in append(&mut blocks, stream) {
            put(&mut directory, block);
        }
    }
    let directory_blocks = append(&mut blocks, &directory);
    let mut map = Vec::new();
    for block in directory_blocks {
        put(&mut map, block);
    }
    let map_block = append(&mut blocks, &map).start;
    let count = FIRST_FREE + blocks.len() / BLOCK;

    let mut file = MAGIC.to_vec();
    for field in [BLOCK, 1, count, directory.len(), 0, map_block] {
        put(&mut file, field);
    }
    file.resize(BLOCK, 0);
    // A bit is set where a block is free: none is.
    file.resize(BLOCK * FIRST_FREE, 0);
    file.extend(blocks);
    file
}

/// Appends a stream; answers its blocks.
fn append(blocks: &mut Vec<u8>, stream: &[u8]) -> std::ops::Range<usize> {
    let first = FIRST_FREE + blocks.len() / BLOCK;
    blocks.extend(stream);
    blocks.resize(blocks.len().next_multiple_of(BLOCK), 0);
    first..FIRST_FREE + blocks.len() / BLOCK
}

fn put(bytes: &mut Vec<u8>, number: usize) {
    bytes.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}
