const zh = {
  'rules.title': '规则书',
  'rules.search': '找条文',
  'rules.searchHelp': '编号或词，如 R8.7、三道、抢杠',
  'rules.contents': '目录',
  'rules.found': '找到 {n} 条',
  'rules.none': '没有这样的条文',
  'rules.room': '房间 {code} 的规则：{preset}',
  'rules.roomHelp': '涉及选项的条文标着这个房间的取值；与底本不同的用亮色标出。',
  'rules.noRoom': '房间 {code} 打不开：{why}',
  'rules.signIn': '报上名字',
  'rules.only': '只看这个房间改动的条文（{n}）',
  'rules.value': '本房间：{value}',
  'rules.differs': '与底本不同',
  'rules.anchor': '{clause} 的地址',
} as const;

const en: Record<keyof typeof zh, string> = {
  'rules.title': 'Rule book',
  'rules.search': 'Find a clause',
  'rules.searchHelp': 'A number or words, such as R8.7 or robbing',
  'rules.contents': 'Contents',
  'rules.found': '{n} clauses',
  'rules.none': 'No such clause',
  'rules.room': 'Room {code}: {preset}',
  'rules.roomHelp': "Clauses with an option show this room's value; what differs from the preset is marked.",
  'rules.noRoom': 'Room {code} could not be opened: {why}',
  'rules.signIn': 'Say your name',
  'rules.only': 'Only what this room has changed ({n})',
  'rules.value': 'This room: {value}',
  'rules.differs': 'differs from the preset',
  'rules.anchor': 'Address of {clause}',
};

export const rules = { zh, en };
