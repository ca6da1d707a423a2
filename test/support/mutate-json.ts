import type { JsonValue } from "../../src/platform/kernel/json.ts";
import { fc } from "./property.ts";

/*
 * Malformed and unusual JSON texts. A document is a tree of source texts rather than values, so members can repeat, numbers can
 * have unusual forms, and invalid JSON can appear anywhere.
 */

type Node =
  | { readonly kind: "source"; readonly source: string }
  | { readonly kind: "array"; readonly items: readonly Node[] }
  | { readonly kind: "object"; readonly members: readonly (readonly [string, Node])[] };

/** Values that have broken parsers, validators or databases. */
export const hostileSources: readonly string[] = [
  ...["1e400", "-0", "1e-7", "-1e-400", "0x10", "00", "1.", "-", "NaN", "Infinity", "undefined"],
  ...["9007199254740993", "1".repeat(400), `0.${"1".repeat(400)}`, "1e5", "2147483648", "-1", "0"],
  ...["null", "true", "false", '""', "[]", "{}", "[null]", "[[]]", '[""]', '{"":""}', '{"id":{}}'],
  ...[
    '"1e5"',
    '"0x10"',
    '" 1"',
    '"1 "',
    '"+1"',
    '"1_000"',
    '"١٢"',
    '"1,5"',
    '"-0"',
    '"1e400"',
    '"NaN"',
  ],
  ...['"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udc00x"', '"\\ud83d"', '"\\uffff"', '"\\u2028"'],
  ...[
    '"\u202eabc\u202c"',
    '"שלום"',
    '"e\\u0301\\u0301\\u0301"',
    '"👩‍👩‍👧‍👦"',
    '"\ufeff"',
    '"ﷺ"',
    '"İ"',
  ],
  ...[
    '"%00"',
    '"%s%n"',
    '"\'; drop table deposit; --"',
    '"${1}"',
    '"../../etc/passwd"',
    '"\\\\"',
    '"%_\\\\%"',
  ],
  ...[
    '"https://a.example/"',
    '"http://127.0.0.1/"',
    '"https://user:pw@a.example/"',
    '"javascript:1"',
  ],
  ...['"https://xn--a.example/\\u0000"', '"https://[::1]/"', '"https://a.example:99999/"', '"//a"'],
  ...['{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}'],
  ...[
    `"${"x".repeat(3_000)}"`,
    `"${"x".repeat(60_000)}"`,
    `"${"\u0301".repeat(500)}"`,
    "x",
    '"',
    "{",
    "]",
  ],
  ...[
    '{"data":null}',
    '{"data":[]}',
    '{"data":{"type":"wallet","id":null}}',
    '"2026-02-30"',
    "[1,2,3]",
  ],
];

const hostileNames: readonly string[] = [
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then"],
  ...[
    "",
    " ",
    "a.b",
    "a/b",
    "~0",
    "\u0000",
    "\ud800",
    "data",
    "type",
    "id",
    "attributes",
    "x".repeat(300),
  ],
];

/** One time in twelve; otherwise null. */
export function seldom<Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> {
  return fc.oneof({ weight: 11, arbitrary: fc.constant(null) }, { weight: 1, arbitrary });
}

/** Texts made from `document` by one or two changes. */
export function mutationOf(document: JsonValue): fc.Arbitrary<string> {
  const changes = fc.array(change, { minLength: 1, maxLength: 2 });
  return fc.tuple(changes, seldom(textChange)).map(([each, text]) => {
    const tree = each.reduce((node, apply) => apply(node), nodeOf(document));
    const source = sourceOf(tree);
    return text === null ? source : text(source);
  });
}

const value: fc.Arbitrary<Node> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...hostileSources).map(leaf) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }).map(leaf) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: "binary", maxLength: 80 })
      .map((text) => leaf(JSON.stringify(text))),
  },
  { weight: 1, arbitrary: fc.double().map((number) => leaf(String(number))) },
);

const name = fc.oneof(fc.constantFrom(...hostileNames), fc.string({ maxLength: 12 }));

type Change = (tree: Node) => Node;

/** Small numbers are not more likely than others, because the root is only one node. */
const place = fc.noBias(fc.nat());

/** `at` is a node of the tree, counted from its root. */
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(place, value).map(([at, by]) => atNode(at, () => by)) },
  {
    weight: 1,
    arbitrary: place.map((at) => atNode(at, (node) => ({ kind: "array", items: [node, node] }))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, name)
      .map(([at, key]) => atNode(at, (node) => ({ kind: "object", members: [[key, node]] }))),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(place, fc.integer({ min: 2, max: 60 }))
      .map(([at, depth]) =>
        atNode(at, (node) => leaf("[".repeat(depth) + sourceOf(node) + "]".repeat(depth))),
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .tuple(place, place)
      .map(([at, member]) =>
        inObject(at, (members) =>
          members.filter((_one, index) => index !== member % members.length),
        ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, place, value)
      .map(([at, member, by]) =>
        inObject(at, (members) => [...members, [members[member % members.length]?.[0] ?? "", by]]),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, place, name)
      .map(([at, member, key]) =>
        inObject(at, (members) =>
          members.map(([old, node], index) => [
            index === member % members.length ? key : old,
            node,
          ]),
        ),
      ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(place, name, value)
      .map(([at, key, by]) => inObject(at, (members) => [[key, by], ...members])),
  },
);

/** The finished text, truncated or with an insertion. */
const textChange: fc.Arbitrary<(source: string) => string> = fc
  .tuple(place, fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 3 })))
  .map(([at, inserted]) => (source) => {
    const split = at % (source.length + 1);
    return inserted === null
      ? source.slice(0, split)
      : source.slice(0, split) + inserted.toWellFormed() + source.slice(split);
  });

function leaf(source: string): Node {
  return { kind: "source", source };
}

function nodeOf(from: JsonValue): Node {
  if (Array.isArray(from))
    return { kind: "array", items: (from as readonly JsonValue[]).map(nodeOf) };
  if (typeof from === "object" && from !== null)
    return {
      kind: "object",
      members: Object.entries(from).map(([key, one]) => [key, nodeOf(one)]),
    };
  return leaf(JSON.stringify(from));
}

function sourceOf(node: Node): string {
  switch (node.kind) {
    case "source":
      return node.source;
    case "array":
      return `[${node.items.map(sourceOf).join(",")}]`;
    case "object":
      return `{${node.members.map(([key, one]) => `${JSON.stringify(key)}:${sourceOf(one)}`).join(",")}}`;
  }
}

function sizeOf(node: Node): number {
  return 1 + childrenOf(node).reduce((sum, child) => sum + sizeOf(child), 0);
}

function childrenOf(node: Node): readonly Node[] {
  if (node.kind === "array") return node.items;
  return node.kind === "object" ? node.members.map(([, one]) => one) : [];
}

/** The tree with its node number `at` (in preorder, counted round) replaced. */
function atNode(at: number, by: (node: Node) => Node): Change {
  return (tree) => {
    let left = at % sizeOf(tree);
    const visit = (node: Node): Node => {
      if (left-- === 0) return by(node);
      if (node.kind === "array") return { kind: "array", items: node.items.map(visit) };
      if (node.kind === "object")
        return { kind: "object", members: node.members.map(([key, one]) => [key, visit(one)]) };
      return node;
    };
    return visit(tree);
  };
}

type Members = readonly (readonly [string, Node])[];

/** The tree with the members of its object number `at` replaced. */
function inObject(at: number, by: (members: Members) => Members): Change {
  return (tree) => {
    const places = objectPlaces(tree);
    const found = places[at % Math.max(1, places.length)];
    if (found === undefined) return tree;
    return atNode(found, (node) =>
      node.kind === "object" && node.members.length > 0
        ? { kind: "object", members: by(node.members) }
        : node,
    )(tree);
  };
}

function objectPlaces(tree: Node): readonly number[] {
  const places: number[] = [];
  let count = 0;
  const visit = (node: Node): void => {
    if (node.kind === "object") places.push(count);
    count += 1;
    childrenOf(node).forEach(visit);
  };
  visit(tree);
  return places;
}
