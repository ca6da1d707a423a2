import { readFile } from "node:fs/promises";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { findMember, type Member, type SchemaNode, valueKinds } from "./find-member.ts";
import type { Path } from "./locate.ts";

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A member of the configuration that an environment variable sets. */
export type Setting = {
  /** The variable: `SLUICE__DATABASE__URL`, or `SLUICE__DATABASE__URL_FILE`. */
  readonly name: string;
  readonly path: Path;
  readonly value: unknown;
  /** The file with the value; null when the variable holds it. */
  readonly file: string | null;
};

const prefix = "SLUICE__";
const fileSuffix = "_FILE";

/** The names of the variables that set members of the configuration, sorted. */
export function settingNames(environment: Environment): readonly string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix))
    .sort();
}

/** The variable that sets the member at `path`. */
export function variableOf(path: Path): string {
  return prefix + path.map((step) => String(step).toUpperCase().replaceAll("-", "_")).join("__");
}

/**
 * Reads the members of `schema` that environment variables set. `SLUICE__SECTION__MEMBER` holds a value and
 * `SLUICE__SECTION__MEMBER_FILE` the name of a file with one, of which a last line break is dropped. Text is taken as it is;
 * lists and tables are JSON. Faults name the variable and never show its value.
 */
export async function readSettings(
  schema: SchemaNode,
  environment: Environment,
): Promise<{ readonly settings: readonly Setting[]; readonly faults: readonly string[] }> {
  const settings: Setting[] = [];
  const faults: string[] = [];
  const names = new Map<string, string>();
  for (const name of settingNames(environment)) {
    try {
      const setting = await readSetting(schema, name, environment[name] ?? "");
      const key = JSON.stringify(setting.path);
      const other = names.get(key);
      if (other === undefined) settings.push(setting);
      else faults.push(`${name}: ${setting.path.join(".")} is also set by ${other}: unset one`);
      names.set(key, name);
    } catch (error) {
      faults.push(`${name}: ${errorMessage(error)}`);
    }
  }
  return { settings, faults };
}

async function readSetting(schema: SchemaNode, name: string, content: string): Promise<Setting> {
  const { member, isFile } = memberOf(schema, name);
  if (content === "") throw new Error("the variable is empty: unset it, or give it a value");
  const text = isFile ? (await readFile(content, "utf8")).replace(/\r?\n$/, "") : content;
  if (text === "") throw new Error(`${content} is empty`);
  const value = decode(text, member.schema);
  return { name, path: member.path, value, file: isFile ? content : null };
}

/** Members whose own names end in `_file`, such as `signer.passphrase_file`, come before files with values. */
function memberOf(schema: SchemaNode, name: string): { member: Member; isFile: boolean } {
  const segments = name.slice(prefix.length).split("__");
  const last = segments.at(-1) ?? "";
  const exact = findMember(schema, segments);
  const isRow = exact?.isRow === true && last.endsWith(fileSuffix);
  if (exact !== null && !isRow) return { member: exact, isFile: false };
  const shorter = last.endsWith(fileSuffix)
    ? findMember(schema, [...segments.slice(0, -1), last.slice(0, -fileSuffix.length)])
    : null;
  if (shorter === null) throw new Error("the configuration has no such member");
  return { member: shorter, isFile: true };
}

/** Throws without quoting the text, which may be a secret. */
function decode(text: string, schema: SchemaNode): unknown {
  const kinds = valueKinds(schema);
  if (kinds.has("text") && !(kinds.has("table") && text.startsWith("{"))) return text;
  if (kinds.has("number")) {
    if (/^-?\d+$/.test(text)) return Number(text);
    throw new Error("an integer is needed");
  }
  if (kinds.has("truth")) {
    if (text === "true" || text === "false") return text === "true";
    throw new Error("true or false is needed");
  }
  const isList = kinds.has("list");
  const value = parsedJson(text);
  if (typeof value === "object" && value !== null && Array.isArray(value) === isList) return value;
  throw new Error(
    isList ? 'a list as JSON is needed, such as ["a","b"]' : "a table as JSON is needed",
  );
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The configuration of a file with settings applied, as a copy: tables before their members, so that the longer name wins. A
 * fault names a setting that has no place.
 */
export function applySettings(
  value: unknown,
  settings: readonly Setting[],
): { readonly value: unknown; readonly faults: readonly string[] } {
  const root: { top: unknown } = { top: structuredClone(value) };
  const faults: string[] = [];
  for (const { name, path, value: set } of settings.toSorted(byDepthThenIndex)) {
    const fault = place(root, ["top", ...path], set);
    if (fault !== null) faults.push(`${name}: ${fault}`);
  }
  return { value: root.top, faults };
}

function byDepthThenIndex(a: Setting, b: Setting): number {
  const depth = a.path.length - b.path.length;
  if (depth !== 0) return depth;
  for (const [place, step] of a.path.entries()) {
    const other = b.path[place];
    if (typeof step === "number" && typeof other === "number" && step !== other)
      return step - other;
  }
  return 0;
}

function place(parent: object, [step = "", ...rest]: Path, set: unknown): string | null {
  const members = parent as Record<string | number, unknown>;
  if (Array.isArray(parent) && typeof step === "number" && step > parent.length)
    return `the list has ${parent.length} entries: set number ${parent.length} first`;
  const [next] = rest;
  if (next === undefined) {
    members[step] = structuredClone(set);
    return null;
  }
  members[step] ??= typeof next === "number" ? [] : {};
  const inner = members[step];
  if (typeof inner !== "object" || Array.isArray(inner) !== (typeof next === "number"))
    return `its parent ${String(step)} is a single value: set that as a whole`;
  return place(inner as object, rest, set);
}
