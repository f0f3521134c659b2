/** The little Markdown that the rule book is written in, as data: nothing in it can become markup. */

export type Inline =
  | { kind: 'text' | 'code' | 'em' | 'strong'; text: string }
  | { kind: 'clause'; text: string };
export type Block =
  | { kind: 'p'; parts: Inline[] }
  | { kind: 'list'; items: Inline[][] }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] };

const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*\s][^*]*)\*|\b(R\d+\.\d+)\b/g;

export function inlines(text: string): Inline[] {
  const parts: Inline[] = [];
  let at = 0;
  for (const found of text.matchAll(MARKS)) {
    if (found.index > at) parts.push({ kind: 'text', text: text.slice(at, found.index) });
    const [whole, code, strong, em, clause] = found;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (em !== undefined) parts.push({ kind: 'em', text: em });
    else parts.push({ kind: 'clause', text: clause! });
    at = found.index + whole.length;
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

const cells = (line: string): Inline[][] =>
  line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => inlines(cell.trim()));

export function blocks(text: string): Block[] {
  return text
    .split(/\n{2,}/)
    .map((part) => part.trim().split('\n'))
    .filter((lines) => lines[0] !== '')
    .map((lines): Block => {
      if (lines.every((line) => line.startsWith('|'))) {
        const [head, , ...rows] = lines;
        return { kind: 'table', head: cells(head!), rows: rows.map(cells) };
      }
      if (lines[0]!.startsWith('- ')) {
        const items = lines.join('\n').slice(2).split('\n- ');
        return { kind: 'list', items: items.map((item) => inlines(item.replace(/\n/g, ' '))) };
      }
      return { kind: 'p', parts: inlines(lines.join(' ')) };
    });
}
