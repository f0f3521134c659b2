import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blocks, inlines } from './markdown';

const BOOKS = ['zh', 'en'].map((name) =>
  readFileSync(join(import.meta.dirname, `../../../docs/rules/${name}.md`), 'utf8'),
);

it('reads what the rule book is written in', () => {
  expect(inlines('a `b|c` *d* R3.7, R10')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'code', text: 'b|c' },
    { kind: 'text', text: ' ' },
    { kind: 'em', text: 'd' },
    { kind: 'text', text: ' ' },
    { kind: 'clause', text: 'R3.7' },
    { kind: 'text', text: ', R10' },
  ]);
  const found = blocks('one\ntwo\n\n- a\n- b `c`\n\n| x | y |\n|---|---|\n| 1 | 2 |');
  expect(found.map((block) => block.kind)).toEqual(['p', 'list', 'table']);
  expect(found[2]).toEqual({
    kind: 'table',
    head: [[{ kind: 'text', text: 'x' }], [{ kind: 'text', text: 'y' }]],
    rows: [[[{ kind: 'text', text: '1' }], [{ kind: 'text', text: '2' }]]],
  });
});

it.each(BOOKS)('loses no word of the book, and no mark stays behind', (book) => {
  const bare = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');
  const text = book.replace(/^#.*$/gm, '');
  const said = blocks(text).flatMap((block) =>
    block.kind === 'p'
      ? [block.parts]
      : block.kind === 'list'
        ? block.items
        : [block.head, ...block.rows].flat(),
  );
  const parts = said.flat();
  expect(bare(parts.map((part) => part.text).join(''))).toBe(bare(text));
  for (const part of parts) if (part.kind === 'text') expect(part.text).not.toMatch(/`|\*\*|^- |\n\|/);
  for (const block of blocks(text)) {
    if (block.kind === 'table') for (const row of block.rows) expect(row.length).toBe(block.head.length);
  }
});

it('makes nothing of HTML', () => {
  expect(inlines('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'text', text: '<img src=x onerror=alert(1)>' },
  ]);
});
