/**
 * Characters that a reader cannot see, or that change how the rest is read. Each row is a class of them, in the syntax of a character class with the
 * flag `u`, and its effect on the reader.
 */
const strangeCharacters: readonly { what: string; set: string; why: string; source: string; read: string }[] = [
  {
    what: 'control characters C0 and C1, DEL',
    set: '\\p{Cc}',
    why: 'move the cursor, clear the screen, set the title, answer as if typed; U+009B is ESC [ in one character',
    source: 'https://www.ecma-international.org/publications-and-standards/standards/ecma-48/',
    read: '2026-11-22',
  },
  {
    what: 'characters that are not drawn: direction marks, joiners, soft hyphen, tags, variation selectors, fillers, byte order mark',
    set: '\\p{Default_Ignorable_Code_Point}',
    why: 'turns text around (U+202A–E, U+2066–9, U+200E/F, U+061C) or hides in it, so that two names look the same',
    source: 'https://www.unicode.org/reports/tr44/#Default_Ignorable_Code_Point',
    read: '2026-11-22',
  },
  {
    what: 'separators of lines and paragraphs',
    set: '\\p{Zl}\\p{Zp}',
    why: 'begin a line that looks like one of ours',
    source: 'https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing',
    read: '2026-11-22',
  },
  {
    what: 'lone surrogates and noncharacters',
    set: '\\p{Cs}\\p{Noncharacter_Code_Point}',
    why: 'cannot be written as UTF-8, so readers get other characters',
    source: 'https://www.unicode.org/versions/latest/core-spec/chapter-23/',
    read: '2026-11-22',
  },
  {
    what: 'interlinear annotation',
    set: '\\ufff9-\\ufffb',
    why: 'hides what stands between two of them',
    source: 'https://www.unicode.org/charts/PDF/UFFF0.pdf',
    read: '2026-11-22',
  },
];

const sets = strangeCharacters.map(({ set }) => set).join('');

/** Matches any of them. In a text of several lines, line feeds and tabs are allowed. */
export const strangeInLine = new RegExp(`[${sets}]`, 'u');
export const strangeInText = new RegExp(`(?![\\n\\t])[${sets}]`, 'u');

/** The same for all occurrences. */
export const allStrangeInLine = new RegExp(strangeInLine, 'gu');
export const allStrangeInText = new RegExp(strangeInText, 'gu');
