//! The least of many times, found anew in few steps when one of them changes.
//!
//! A loser tree (Knuth, "The Art of Computer Programming", volume 3, 5.4.1): each inner node keeps the player that lost
//! there, so that a change replays one path, with one comparison on each level and no branch to mispredict.

use std::hint::select_unpredictable;

/// Players by time, the smaller number first where times are equal.
#[derive(Debug, Default)]
pub(crate) struct Tournament {
    /// The winner, then the loser of each inner node; the children of node `n` are `2 * n` and `2 * n + 1`, and the
    /// players are the nodes after the inner ones.
    players: Vec<Player>,
}

/// Time and number of a player as one number, so that comparing takes no branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Player(u128);

const TIME_SHIFT: u32 = 64;
/// Set in the number of a player that has no time any more; it comes after all others.
const OUT: u64 = 1 << 63;

impl Player {
    #[inline]
    fn new(time: Option<i64>, number: u64) -> Self {
        let (time, number) = match time {
            Some(time) => (time, number),
            None => (i64::MAX, number | OUT),
        };
        let ascending = time.cast_unsigned() ^ 1 << 63;
        Self(u128::from(ascending) << TIME_SHIFT | u128::from(number))
    }

    #[inline]
    fn time(self) -> i64 {
        ((self.0 >> TIME_SHIFT) as u64 ^ 1 << 63).cast_signed()
    }

    #[inline]
    fn number(self) -> u64 {
        self.0 as u64
    }

    /// Who wins, and who loses. Which of the two it is cannot be foreseen.
    #[inline]
    fn against(self, other: Self) -> (Self, Self) {
        let wins = self < other;
        (
            Self(select_unpredictable(wins, self.0, other.0)),
            Self(select_unpredictable(wins, other.0, self.0)),
        )
    }
}

impl Tournament {
    /// The tournament of players with these times; `None` plays no part.
    pub(crate) fn new(times: &[Option<i64>]) -> Self {
        let count = times.len();
        // While it is built, a node holds its winner.
        let mut winners = vec![Player::new(None, 0); count];
        winners.extend(
            (0..)
                .zip(times)
                .map(|(number, &time)| Player::new(time, number)),
        );
        let mut players = vec![Player::new(None, 0); count.max(1)];
        for node in (1..count).rev() {
            let (Some(&left), Some(&right)) = (winners.get(2 * node), winners.get(2 * node + 1))
            else {
                continue;
            };
            set(&mut winners, node, left.min(right));
            set(&mut players, node, left.max(right));
        }
        if let Some(&winner) = winners.get(1) {
            set(&mut players, 0, winner);
        }
        Self { players }
    }

    /// Time and number of the first player; `None` when no player is left.
    #[inline]
    pub(crate) fn first(&self) -> Option<(i64, usize)> {
        let winner = *self.players.first()?;
        let number = winner.number();
        (number & OUT == 0).then_some((winner.time(), number as usize))
    }

    /// Gives the first player a new time, or takes it out.
    #[inline]
    pub(crate) fn replace_first(&mut self, time: Option<i64>) {
        let Some((_, number)) = self.first() else {
            return;
        };
        let mut winner = Player::new(time, number as u64);
        let mut node = (self.players.len() + number) / 2;
        while node > 0 {
            if let Some(loser) = self.players.get_mut(node) {
                (winner, *loser) = winner.against(*loser);
            }
            node /= 2;
        }
        set(&mut self.players, 0, winner);
    }
}

#[inline]
fn set(players: &mut [Player], node: usize, player: Player) {
    if let Some(place) = players.get_mut(node) {
        *place = player;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers and times in the order in which the tournament gives them out.
    fn order(mut players: Vec<Vec<i64>>) -> Vec<(i64, usize)> {
        for times in &mut players {
            times.reverse();
        }
        let firsts: Vec<_> = players.iter_mut().map(Vec::pop).collect();
        let mut tournament = Tournament::new(&firsts);
        let mut order = Vec::new();
        while let Some((time, number)) = tournament.first() {
            order.push((time, number));
            tournament.replace_first(players[number].pop());
        }
        order
    }

    #[test]
    fn players_come_by_time_and_then_by_number() {
        let players = vec![vec![5, 9], vec![-3, 5, 5], vec![], vec![i64::MIN, i64::MAX]];
        let expected = [
            (i64::MIN, 3),
            (-3, 1),
            (5, 0),
            (5, 1),
            (5, 1),
            (9, 0),
            (i64::MAX, 3),
        ];
        assert_eq!(order(players), expected);
    }

    #[test]
    fn any_number_of_players_can_take_part() {
        for count in 0..20_usize {
            let players: Vec<Vec<i64>> = (0..count as i64)
                .map(|player| (0..player).map(|round| 100 * round - player).collect())
                .collect();
            let mut sorted: Vec<(i64, usize)> = (0..)
                .zip(&players)
                .flat_map(|(number, times)| times.iter().map(move |&time| (time, number)))
                .collect();
            sorted.sort_unstable();
            assert_eq!(order(players), sorted);
        }
    }
}
