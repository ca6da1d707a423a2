import { findNodeAtLocation, parseTree } from "jsonc-parser";
import { type AST, parseTOML } from "toml-eslint-parser";

export type Path = readonly (string | number)[];

/** A position in a file; both counted from 1. */
export type Place = { readonly line: number; readonly column: number };

/** Position of the member at `path` in a TOML text, or of its nearest written parent. */
export function locateInToml(text: string, path: Path): Place {
  const places = new Map<string, Place>();
  const root = parseTOML(text).body[0];
  for (const item of root.body) {
    if (item.type === "TOMLTable") {
      const key = item.resolvedKey;
      places.set(keyOf(key), placeOf(item));
      for (const pair of item.body) collectPair(pair, key, places);
    } else {
      collectPair(item, [], places);
    }
  }
  return nearest(path, (candidate) => places.get(keyOf(candidate)) ?? null);
}

function collectPair(pair: AST.TOMLKeyValue, base: Path, places: Map<string, Place>): void {
  const names = pair.key.keys.map((key) => (key.type === "TOMLBare" ? key.name : key.value));
  const path = [...base, ...names];
  places.set(keyOf(path), placeOf(pair));
  collectValue(pair.value, path, places);
}

function collectValue(value: AST.TOMLContentNode, path: Path, places: Map<string, Place>): void {
  if (value.type === "TOMLArray") {
    value.elements.forEach((element, index) => {
      places.set(keyOf([...path, index]), placeOf(element));
      collectValue(element, [...path, index], places);
    });
  }
  if (value.type === "TOMLInlineTable") {
    for (const pair of value.body) collectPair(pair, path, places);
  }
}

function placeOf(node: { readonly loc: AST.SourceLocation }): Place {
  return { line: node.loc.start.line, column: node.loc.start.column + 1 };
}

/** Position of the member at `path` in a JSON text, or of its nearest written parent. */
export function locateInJson(text: string, path: Path): Place {
  const tree = parseTree(text);
  return nearest(path, (candidate) => {
    const node = tree === undefined ? undefined : findNodeAtLocation(tree, [...candidate]);
    return node === undefined ? null : placeOfOffset(text, node.offset);
  });
}

/** Line and column of a character, from 1. */
export function placeOfOffset(text: string, offset: number): Place {
  const before = text.slice(0, offset).split("\n");
  return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
}

function nearest(path: Path, find: (path: Path) => Place | null): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const place = find(path.slice(0, length));
    if (place !== null) return place;
  }
  return { line: 1, column: 1 };
}

function keyOf(path: Path): string {
  return JSON.stringify(path);
}
