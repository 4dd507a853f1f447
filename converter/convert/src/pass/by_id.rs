//! A map from ids of threads or processes, which are looked up several times for each context switch.

use rustc_hash::FxHashMap;

/// Ids that have a place of their own are below four times this.
const PLACES_MAX: usize = 1 << 16;

/// Values by id. Windows gives small multiples of four: each of these has a place in a vector; other ids are hashed.
#[derive(Clone, Debug)]
pub struct ById<T> {
    places: Vec<Option<T>>,
    others: FxHashMap<u32, T>,
}

impl<T> Default for ById<T> {
    fn default() -> Self {
        Self {
            places: Vec::new(),
            others: FxHashMap::default(),
        }
    }
}

impl<T> ById<T> {
    /// The value of an id.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&T> {
        match place(id) {
            Some(place) => self.places.get(place)?.as_ref(),
            None => self.others.get(&id),
        }
    }

    /// The same, to be changed.
    #[inline]
    pub fn get_mut(&mut self, id: u32) -> Option<&mut T> {
        match place(id) {
            Some(place) => self.places.get_mut(place)?.as_mut(),
            None => self.others.get_mut(&id),
        }
    }

    /// Whether an id has a value.
    pub fn has(&self, id: u32) -> bool {
        self.get(id).is_some()
    }

    /// Gives an id a value; answers the one before.
    pub fn insert(&mut self, id: u32, value: T) -> Option<T> {
        match place(id) {
            Some(place) => self.place_mut(place).replace(value),
            None => self.others.insert(id, value),
        }
    }

    /// Takes the value of an id.
    pub fn remove(&mut self, id: u32) -> Option<T> {
        match place(id) {
            Some(place) => self.places.get_mut(place)?.take(),
            None => self.others.remove(&id),
        }
    }

    /// All ids and their values, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        let ids = (0..).step_by(4);
        let placed = ids.zip(&self.places);
        let placed = placed.filter_map(|(id, value)| Some((id, value.as_ref()?)));
        placed.chain(self.others.iter().map(|(id, value)| (*id, value)))
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.places
            .iter_mut()
            .flatten()
            .chain(self.others.values_mut())
    }

    fn place_mut(&mut self, place: usize) -> &mut Option<T> {
        if self.places.len() <= place {
            self.places.resize_with(place + 1, || None);
        }
        #[expect(
            clippy::indexing_slicing,
            reason = "the vector was made long enough just above"
        )]
        &mut self.places[place]
    }
}

impl<T: Default> ById<T> {
    /// The value of an id; the default one from now on if it had none.
    #[inline]
    pub fn of(&mut self, id: u32) -> &mut T {
        match place(id) {
            Some(place) => self.place_mut(place).get_or_insert_default(),
            None => self.others.entry(id).or_default(),
        }
    }
}

/// The place of a small multiple of four.
#[inline]
fn place(id: u32) -> Option<usize> {
    let place = usize::try_from(id.rotate_right(2)).ok()?;
    (place < PLACES_MAX).then_some(place)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least and the greatest id that has a place, and ids that have none.
    const IDS: [u32; 6] = [0, 262_140, 262_144, 5, 6, u32::MAX];

    #[test]
    fn every_id_has_its_own_value() {
        let mut by_id = ById::default();
        for (value, id) in IDS.into_iter().enumerate() {
            assert_eq!(by_id.insert(id, value), None);
        }
        assert_eq!(
            IDS.map(|id| by_id.get(id).copied()),
            [0, 1, 2, 3, 4, 5].map(Some)
        );
        let mut all: Vec<_> = by_id.iter().map(|(id, value)| (*value, id)).collect();
        all.sort_unstable();
        assert_eq!(all.into_iter().map(|(_, id)| id).collect::<Vec<_>>(), IDS);
        assert_eq!(by_id.get(8), None);
        assert_eq!(by_id.get(10), None);
    }

    #[test]
    fn a_value_changes_and_goes() {
        for id in IDS {
            let mut by_id = ById::default();
            *by_id.of(id) += 1;
            *by_id.of(id) += 1;
            assert_eq!(by_id.insert(id, 5), Some(2));
            by_id.values_mut().for_each(|value| *value += 1);
            by_id.get_mut(id).into_iter().for_each(|value| *value += 1);
            assert!(by_id.has(id));
            assert_eq!([by_id.remove(id), by_id.remove(id)], [Some(7), None]);
            assert!(!by_id.has(id));
            assert_eq!(by_id.iter().count(), 0);
        }
    }
}
