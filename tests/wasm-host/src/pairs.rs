//! Header pairs in the form of proxy-wasm: counted lengths first, then the texts, each ended by a
//! zero byte. A second opinion: the filter has its own.

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;

/// Pairs as one block.
#[must_use]
pub fn write(pairs: &Pairs) -> Vec<u8> {
    let len = |len: usize| u32::try_from(len).unwrap_or(u32::MAX).to_le_bytes();
    let mut block = len(pairs.len()).to_vec();
    for (name, value) in pairs {
        block.extend(len(name.len()));
        block.extend(len(value.len()));
    }
    for (name, value) in pairs {
        for text in [name, value] {
            block.extend(text);
            block.push(0);
        }
    }
    block
}

/// The pairs of a block.
#[must_use]
pub fn read(block: &[u8]) -> Option<Pairs> {
    let mut lens = block
        .chunks_exact(4)
        .map(|len| u32::from_le_bytes([len[0], len[1], len[2], len[3]]) as usize);
    let count = lens.next()?;
    let mut at = 4 + 8 * count;
    let mut text = |len: usize| {
        let text = block.get(at..at + len)?.to_vec();
        at += len + 1;
        Some(text)
    };
    let mut pairs = Vec::new();
    for _ in 0..count {
        let (name, value) = (lens.next()?, lens.next()?);
        pairs.push((text(name)?, text(value)?));
    }
    Some(pairs)
}
