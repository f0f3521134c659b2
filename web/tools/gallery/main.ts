import { mount } from 'svelte';
import { book } from '../../src/state/book.svelte';
import { settings } from '../../src/state/settings.svelte';
import Board from '../../src/table/Board.svelte';
import Table from '../../src/table/Table.svelte';
import { loadFaces } from '../../src/tiles/faces';
import '../../src/styles/tokens.css';
import './gallery.css';
import '../../src/styles/base.css';
import told from './book.json';
import scenes from './scenes';
import { FakeStore } from './store.svelte';

/** `?scene=claim&lang=en&theme=light`: the table at one moment, without a server. */
book.data = told as never;
const hands = [
  [3, -1, -1, -1],
  [-4, 9, -3, -2],
  [6, -9, -1, 4],
  [-2, -2, 6, -2],
  [-15, 2, 45, -32],
].map((payments) => ({ end: { payments } }));
window.fetch = async (path) =>
  new Response(JSON.stringify(String(path) === '/api/rules' ? told : { hands, next: null }), { status: 200 });
const query = new URLSearchParams(location.search);
const name = query.get('scene') ?? 'turn';
const scene = scenes[name];
settings.lang = (query.get('lang') ?? 'zh') as typeof settings.lang;
settings.theme = (query.get('theme') ?? 'dark') as typeof settings.theme;
if (query.get('face')) settings.face = query.get('face') as typeof settings.face;
document.documentElement.dataset.theme = settings.theme;
document.documentElement.lang = settings.lang === 'zh' ? 'zh-CN' : 'en';
if (query.get('motion')) document.documentElement.dataset.motion = query.get('motion') ?? '';

await loadFaces(settings.face);
if (query.get('board') && scene) {
  // As a replay shows it: all hands open.
  const { table } = scene.table;
  const names = scene.room.chairs.map((chair: { name: string }) => ({ name: chair.name, online: true }));
  const hands = table.seats.map((seat: { hand?: string }) => seat.hand ?? '123m456p789s1122z');
  const root = document.getElementById('app')!;
  root.className = 'whole';
  mount(Board, {
    target: root,
    props: { view: table, chairs: names, totals: scene.room.totals, bottom: 0, hands },
  });
} else if (scene) {
  const store = new FakeStore(scene);
  (window as unknown as { store: FakeStore }).store = store;
  mount(Table, {
    target: document.getElementById('app')!,
    props: { store: store as never, onroom: () => {} },
  });
} else {
  document.getElementById('app')!.textContent = Object.keys(scenes).join(' ');
}
