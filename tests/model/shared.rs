//! Values with many owners, and what is derived from them.

use std::cell::Cell;
use std::collections::BTreeMap;

use tidegate_model::shared::{Derived, Shared};

#[test]
fn an_owner_changes_only_its_own_value() {
    let first = Shared::from(vec![1]);
    let mut second = first.clone();
    assert!(first.is_same(&second));
    second.push(2);
    assert_eq!((&*first, &*second), (&vec![1], &vec![1, 2]));
    assert!(!first.is_same(&second) && first != second);
    assert!(first == Shared::from(vec![1]), "equal values need not be the same");
}

#[test]
fn only_what_has_changed_is_derived_again() {
    let count = Cell::new(0);
    let mut derived = Derived::default();
    let mut sums = |values: &BTreeMap<u8, Shared<Vec<u8>>>| -> Vec<u8> {
        let sum = |_: &u8, values: &Vec<u8>| {
            count.set(count.get() + 1);
            values.iter().sum()
        };
        derived.updated(values, sum).copied().collect()
    };
    let mut values = BTreeMap::from([(1, Shared::from(vec![1, 2])), (2, Shared::from(vec![3]))]);
    assert_eq!((sums(&values), count.get()), (vec![3, 3], 2));
    assert_eq!((sums(&values.clone()), count.get()), (vec![3, 3], 2));
    values.get_mut(&2).unwrap().push(4);
    assert_eq!((sums(&values), count.get()), (vec![3, 7], 3));
    values.remove(&1);
    assert_eq!((sums(&values), count.get()), (vec![7], 3));
}
