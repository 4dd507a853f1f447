//! Texts in JSON as what many have in common, and the rest.

/// Stands in a template for a value, and in the values between two: JSON has it in no text.
pub const MARK: char = '\u{1}';

/// How many texts begin: those of addresses in the kernel, and of other numbers in hexadecimal.
const PREFIXES: [&str; 2] = ["0xffff", "0x"];

/// Bytes of a template at most; what would have a longer one is a value as a whole.
const TEMPLATE_BYTES_MAX: usize = 1 << 12;

/// Splits JSON without blanks. Its texts and numbers go to `values`, with a [`MARK`] before each but the `first` one.
/// All else goes to `template`, with a [`MARK`] in place of each value. A prefix of [`PREFIXES`] is the template's.
pub fn split(json: &str, template: &mut String, values: &mut String, first: &mut bool) {
    let (template_start, values_start, was_first) = (template.len(), values.len(), *first);
    let mut rest = json;
    while let Some(byte) = rest.bytes().next() {
        let end = match byte {
            b'"' => end_of_text(rest),
            b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
            _ => end_of_word(rest),
        };
        let (token, after) = rest.split_at(end);
        rest = after;
        let value = match byte {
            b'"' if !after.starts_with(':') => {
                let text = token.strip_prefix('"').unwrap_or(token);
                text.strip_suffix('"').unwrap_or(text)
            }
            b'-' | b'0'..=b'9' => {
                template.push(MARK);
                push_value(token, values, first);
                continue;
            }
            _ => {
                template.push_str(token);
                continue;
            }
        };
        template.push('"');
        let found = PREFIXES
            .into_iter()
            .find(|prefix| value.starts_with(prefix));
        let (prefix, own) = value.split_at(found.map_or(0, str::len));
        template.push_str(prefix);
        template.push(MARK);
        push_value(own, values, first);
        template.push('"');
    }
    if template.len() - template_start > TEMPLATE_BYTES_MAX {
        template.truncate(template_start);
        values.truncate(values_start);
        *first = was_first;
        template.push(MARK);
        push_value(json, values, first);
    }
}

fn push_value(value: &str, values: &mut String, first: &mut bool) {
    if !std::mem::take(first) {
        values.push(MARK);
    }
    values.push_str(value);
}

/// Where a text in quotes ends.
fn end_of_text(json: &str) -> usize {
    let mut is_escaped = true;
    let end = json.bytes().position(|byte| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    });
    end.map_or(json.len(), |at| at + 1)
}

/// Where a number, or `true`, `false` or `null`, ends.
fn end_of_word(json: &str) -> usize {
    let end = json
        .bytes()
        .position(|byte| matches!(byte, b',' | b'}' | b']'));
    end.unwrap_or(json.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(json: &str) -> (String, String) {
        let (mut template, mut values) = (String::new(), String::new());
        split(json, &mut template, &mut values, &mut true);
        let shown = |text: String| text.replace(MARK, "_");
        (shown(template), shown(values))
    }

    #[test]
    fn texts_and_numbers_are_values_and_all_else_is_the_template() {
        let json = r#"{"a":-12,"b":"0xff","c":"x\"y\\","d":[1.5e3,null],"e":{"f":true},"g":"","h":"0xffffa0"}"#;
        let template =
            r#"{"a":_,"b":"0x_","c":"_","d":[_,null],"e":{"f":true},"g":"_","h":"0xffff_"}"#;
        let values = r#"-12_ff_x\"y\\_1.5e3__a0"#;
        assert_eq!(parts(json), (template.into(), values.into()));
        assert_eq!(parts("{}"), ("{}".into(), String::new()));
    }

    #[test]
    fn what_would_have_a_long_template_is_one_value() {
        let json = format!("[{}0]", "0,".repeat(TEMPLATE_BYTES_MAX));
        assert_eq!(parts(&json), ("_".into(), json));
    }
}
