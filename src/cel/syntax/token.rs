//! The token kinds of the language, and sets of them.

/// A token kind, numbered as in upstream's grammar: messages list kinds in this order.
pub(super) type TokenKind = u8;

pub(super) const EOF: TokenKind = 0;
pub(super) const EQUALS: TokenKind = 1;
pub(super) const NOT_EQUALS: TokenKind = 2;
pub(super) const IN: TokenKind = 3;
pub(super) const LESS: TokenKind = 4;
pub(super) const LESS_EQUALS: TokenKind = 5;
pub(super) const GREATER_EQUALS: TokenKind = 6;
pub(super) const GREATER: TokenKind = 7;
pub(super) const AND: TokenKind = 8;
pub(super) const OR: TokenKind = 9;
pub(super) const LEFT_BRACKET: TokenKind = 10;
pub(super) const RIGHT_BRACKET: TokenKind = 11;
pub(super) const LEFT_BRACE: TokenKind = 12;
pub(super) const RIGHT_BRACE: TokenKind = 13;
pub(super) const LEFT_PAREN: TokenKind = 14;
pub(super) const RIGHT_PAREN: TokenKind = 15;
pub(super) const DOT: TokenKind = 16;
pub(super) const COMMA: TokenKind = 17;
pub(super) const MINUS: TokenKind = 18;
pub(super) const NOT: TokenKind = 19;
pub(super) const QUESTION: TokenKind = 20;
pub(super) const COLON: TokenKind = 21;
pub(super) const PLUS: TokenKind = 22;
pub(super) const STAR: TokenKind = 23;
pub(super) const SLASH: TokenKind = 24;
pub(super) const PERCENT: TokenKind = 25;
pub(super) const TRUE: TokenKind = 26;
pub(super) const FALSE: TokenKind = 27;
pub(super) const NULL: TokenKind = 28;
pub(super) const WHITESPACE: TokenKind = 29;
pub(super) const COMMENT: TokenKind = 30;
pub(super) const FLOAT: TokenKind = 31;
pub(super) const INT: TokenKind = 32;
pub(super) const UINT: TokenKind = 33;
pub(super) const STRING: TokenKind = 34;
pub(super) const BYTES: TokenKind = 35;
pub(super) const IDENTIFIER: TokenKind = 36;
pub(super) const ESCAPED: TokenKind = 37;
/// Not a token: the rule may end here.
const END: TokenKind = 63;

const SHOWN: [&str; 38] = [
    "<EOF>",
    "'=='",
    "'!='",
    "'in'",
    "'<'",
    "'<='",
    "'>='",
    "'>'",
    "'&&'",
    "'||'",
    "'['",
    "']'",
    "'{'",
    "'}'",
    "'('",
    "')'",
    "'.'",
    "','",
    "'-'",
    "'!'",
    "'?'",
    "':'",
    "'+'",
    "'*'",
    "'/'",
    "'%'",
    "'true'",
    "'false'",
    "'null'",
    "WHITESPACE",
    "COMMENT",
    "NUM_FLOAT",
    "NUM_INT",
    "NUM_UINT",
    "STRING",
    "BYTES",
    "IDENTIFIER",
    "ESC_IDENTIFIER",
];

/// A set of token kinds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Set(u64);

impl Set {
    pub(super) const NONE: Self = Self(0);

    pub(super) const fn of(tokens: &[TokenKind]) -> Self {
        let mut bits = 0;
        let mut rest = tokens;
        while let [token, others @ ..] = rest {
            bits |= 1 << *token;
            rest = others;
        }
        Self(bits)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and(self, token: TokenKind) -> Self {
        Self(self.0 | 1 << token)
    }

    pub(super) const fn without(self, token: TokenKind) -> Self {
        Self(self.0 & !(1 << token))
    }

    /// Returns the set with the end of the rule added.
    pub(super) const fn or_end(self) -> Self {
        self.and(END)
    }

    pub(super) const fn contains(self, token: TokenKind) -> bool {
        self.0 & (1 << token) != 0
    }

    pub(super) const fn may_end(self) -> bool {
        self.contains(END)
    }

    pub(super) const fn without_end(self) -> Self {
        self.without(END)
    }

    /// Formats the set as in messages.
    pub(super) fn describe(self) -> String {
        let names: Vec<&str> = (0_u8..).zip(SHOWN).filter(|(token, _)| self.contains(*token)).map(|(_, n)| n).collect();
        match names.as_slice() {
            [name] => (*name).to_owned(),
            names => format!("{{{}}}", names.join(", ")),
        }
    }
}

/// Tokens that can start an expression.
pub(super) const EXPRESSION: Set = Set::of(&[
    LEFT_BRACKET,
    LEFT_BRACE,
    LEFT_PAREN,
    DOT,
    MINUS,
    NOT,
    TRUE,
    FALSE,
    NULL,
    FLOAT,
    INT,
    UINT,
    STRING,
    BYTES,
    IDENTIFIER,
]);
/// Tokens that can start a name after a dot.
pub(super) const FIELD: Set = Set::of(&[IDENTIFIER, ESCAPED]);
/// Tokens that can follow a member.
pub(super) const MEMBER: Set = Set::of(&[DOT, LEFT_BRACKET]);
/// Operators that multiply and divide.
pub(super) const PRODUCT: Set = Set::of(&[STAR, SLASH, PERCENT]);
/// Operators that add and subtract.
pub(super) const SUM: Set = Set::of(&[PLUS, MINUS]);
/// Operators that compare.
pub(super) const RELATION: Set = Set::of(&[EQUALS, NOT_EQUALS, IN, LESS, LESS_EQUALS, GREATER_EQUALS, GREATER]);
