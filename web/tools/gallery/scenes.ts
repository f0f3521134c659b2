import recorded from './scenes.json';

/** A scene: what the server tells at one moment. Recorded by record.py; here are some that are rare in play. */
// biome-ignore lint/suspicious/noExplicitAny: messages as they were recorded
export type Scene = any;

const scenes: Record<string, Scene> = { ...(recorded as Record<string, Scene>) };
const copy = (scene: string): Scene => JSON.parse(JSON.stringify(scenes[scene]));

function made(name: string, from: string, change: (scene: Scene) => void): void {
  const scene = copy(from);
  change(scene);
  scenes[name] = scene;
}

const RIVER = '19m28p37s1234567z46m55p9s1m2p3s4m6p8s9m';
made('rivers', 'long', ({ table }) => {
  table.table.order = '0123'.repeat(24);
  for (const [i, seat] of table.table.seats.entries()) {
    seat.river = RIVER;
    seat.claimed = [2 + i, 11, 17 + i];
  }
});
made('rivers3', 'three', ({ table }) => {
  table.table.order = '012'.repeat(28);
  for (const seat of table.table.seats) {
    seat.river = `${RIVER}5678s`;
    seat.claimed = [4, 9];
  }
});
const MELDS = (players: number, seat: number) => [
  { kind: 'chow', tiles: '345m', from: (seat + players - 1) % players, claimed: '4m' },
  { kind: 'added_kong', tiles: '7777p', from: (seat + 2) % players, claimed: '7p' },
  { kind: 'concealed_kong', tiles: '' },
  { kind: 'exposed_kong', tiles: '1111z', from: (seat + 1) % players, claimed: '1z' },
];
made('full', 'melds', ({ table }) => {
  const { mine } = table;
  for (const [i, seat] of table.table.seats.entries()) {
    seat.melds = MELDS(4, i);
    seat.tiles = 1;
    seat.flowers = i % 2 === 0 ? '12345678f' : '35f';
    seat.ready = i === 2;
  }
  mine.hand = '59s';
  mine.drawn = '9s';
  mine.kongs = ['2222s'];
  mine.legal = ['discard 5s', 'discard 9s'];
});
made('ready', 'turn', ({ table }) => {
  table.mine.legal = [
    ...table.mine.legal.filter((action: string) => action !== 'win'),
    'ready 4p',
    'ready 6p',
  ];
});
made('paused', 'turn', ({ room }) => {
  room.stage = 'paused';
});
made('watching', 'waiting', (scene) => {
  scene.room.you = null;
  scene.room.watching = true;
  scene.room.totals = null;
  scene.room.settings.spectators = true;
  scene.table.mine = undefined;
});
made('vote', 'turn', ({ room }) => {
  room.votes = [{ on: 'end', yes: [2], no: [], needed: 4 }];
});
made('auto', 'waiting', ({ room }) => {
  room.chairs[room.you].auto = true;
  room.chairs[2].online = false;
});
made('locked', 'waiting', ({ table }) => {
  table.mine.passed = { let_off: (table.mine.seat + 1) % 4, V: 0 };
  table.table.follow = { lead: (table.mine.seat + 2) % 4, tile: '9m', followers: 2 };
});
made('start', 'turn', (scene) => {
  scene.room.stage = 'between';
  scene.room.commitment = 'f2bff06cc57bff6b39cb59ab321f047253364ca0c63f52a6b48e0366f6a2eae3';
  scene.room.next_in = 24;
  scene.table = null;
});
made('final', 'end', ({ room }) => {
  room.stage = 'open';
});
made('lost', 'turn', (scene) => {
  scene.status = 'waiting';
});

export default scenes;
