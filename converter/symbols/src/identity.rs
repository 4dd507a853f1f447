//! Which build of a PDB is meant. The name and the GUID come from a trace: from a stranger.

/// Why a PDB cannot be asked for.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IdentityError {
    /// The name could lead out of the folder that is looked in, or is no name.
    #[error("{0:?} cannot be the name of a PDB")]
    Name(String),
    /// It is not 32 hexadecimal digits.
    #[error("{0:?} is no GUID")]
    Guid(String),
}

/// A build of a PDB.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PdbIdentity {
    name: String,
    /// 32 lower-case hexadecimal digits, in the order of the GUID's text.
    guid: String,
    age: u32,
}

/// Longest name that file systems take, in bytes.
const NAME_MAX: usize = 255;

impl PdbIdentity {
    /// The build by the path where it was built, its GUID and its age. Only the last part of the path counts.
    ///
    /// # Errors
    /// Fails if the name or the GUID cannot be meant.
    pub fn new(path: &str, guid: &str, age: u32) -> Result<Self, IdentityError> {
        let name = path.rsplit(['\\', '/']).next().unwrap_or_default();
        let is_plain = |letter: char| !letter.is_control() && !r#"<>:"|?*"#.contains(letter);
        let is_dots = name.chars().all(|letter| matches!(letter, '.' | ' '));
        if is_dots || name.len() > NAME_MAX || !name.chars().all(is_plain) {
            return Err(IdentityError::Name(path.chars().take(NAME_MAX).collect()));
        }
        let digits: String = guid
            .chars()
            .filter(|letter| !matches!(letter, '-' | '{' | '}'))
            .collect();
        if digits.len() != 32 || !digits.chars().all(|digit| digit.is_ascii_hexdigit()) {
            return Err(IdentityError::Guid(guid.chars().take(64).collect()));
        }
        Ok(Self {
            name: name.to_owned(),
            guid: digits.to_ascii_lowercase(),
            age,
        })
    }

    /// The name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The GUID: 32 lower-case hexadecimal digits.
    pub fn guid(&self) -> &str {
        &self.guid
    }

    /// What symbol stores keep the build under: GUID and age in hexadecimal (Microsoft, "SymStore: key").
    pub fn key(&self) -> String {
        format!("{}{:X}", self.guid.to_ascii_uppercase(), self.age)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: &str = "0123abcd-4567-89ef-0123-456789abcdef";

    #[test]
    fn only_the_name_of_a_path_counts() {
        let identity = PdbIdentity::new(r"D:\build\..\obj\ntdll.pdb", GUID, 26).unwrap();
        assert_eq!(identity.name(), "ntdll.pdb");
        assert_eq!(identity.key(), "0123ABCD456789EF0123456789ABCDEF1A");
        let posix = PdbIdentity::new("/../../etc/passwd", GUID, 1).unwrap();
        assert_eq!(posix.name(), "passwd");
    }

    #[test]
    fn names_that_lead_elsewhere_are_refused() {
        for path in [
            "", "..", ".", r"a\..", "a/..", "a/", "C:", "a:b.pdb", "a\0b", "a\nb", "...", ". .",
        ] {
            let refused = PdbIdentity::new(path, GUID, 1);
            assert_eq!(refused, Err(IdentityError::Name(path.to_owned())));
        }
        assert!(PdbIdentity::new(&"x".repeat(256), GUID, 1).is_err());
    }

    #[test]
    fn a_guid_is_32_digits() {
        for guid in [
            "",
            "0123",
            "../..",
            &format!("{GUID}0"),
            "0123abcd-4567-89ef-0123-456789abcdeg",
        ] {
            let refused = PdbIdentity::new("a.pdb", guid, 1);
            assert_eq!(refused, Err(IdentityError::Guid(guid.to_owned())));
        }
        let braces = PdbIdentity::new("a.pdb", &format!("{{{}}}", GUID.to_uppercase()), 1);
        assert_eq!(braces, PdbIdentity::new("a.pdb", GUID, 1));
    }
}
