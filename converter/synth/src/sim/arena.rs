//! Storage addressed by keys that it hands out itself and never takes back.

use std::marker::PhantomData;

/// The place of a `T` in its arena.
pub struct Key<T>(usize, PhantomData<fn() -> T>);

impl<T> std::fmt::Debug for Key<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Clone for Key<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Key<T> {}

impl<T> PartialEq for Key<T> {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl<T> Eq for Key<T> {}

impl<T> PartialOrd for Key<T> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Key<T> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.cmp(&other.0)
    }
}

impl<T> Key<T> {
    /// How many were stored before it.
    pub const fn index(self) -> usize {
        self.0
    }
}

/// A list that only grows, so every key it gave stays good.
#[derive(Debug)]
pub struct Arena<T>(Vec<T>);

impl<T> Default for Arena<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> Arena<T> {
    /// Stores a value.
    pub fn add(&mut self, value: T) -> Key<T> {
        self.0.push(value);
        Key(self.0.len() - 1, PhantomData)
    }

    /// All values with their keys, oldest first.
    pub fn iter(&self) -> impl Iterator<Item = (Key<T>, &T)> {
        self.0
            .iter()
            .enumerate()
            .map(|(index, value)| (Key(index, PhantomData), value))
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "a key is an index that this arena, which never shrinks, gave out"
)]
impl<T> std::ops::Index<Key<T>> for Arena<T> {
    type Output = T;

    fn index(&self, key: Key<T>) -> &T {
        &self.0[key.0]
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "a key is an index that this arena, which never shrinks, gave out"
)]
impl<T> std::ops::IndexMut<Key<T>> for Arena<T> {
    fn index_mut(&mut self, key: Key<T>) -> &mut T {
        &mut self.0[key.0]
    }
}
