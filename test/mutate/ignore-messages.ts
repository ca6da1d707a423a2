/*
 * Texts that change nothing but what a developer reads: of assertions, of errors that are faults of the program, and the names of
 * prepared statements. Tests notice that errors are thrown, and not how they are worded. A plug-in of Stryker, which shows it each place
 * of the syntax tree (a `NodePath` of Babel).
 */

type Place = {
  readonly node: { readonly type: string };
  readonly parent: {
    readonly type: string;
    readonly callee?: { readonly type: string; readonly name?: string };
  };
  readonly listKey?: string | null;
  /** The place in that list. */
  readonly key?: string | number | null;
};

const assertions = new Set(["assert", "present"]);
const faults = new Set(["Error", "RangeError", "TypeError", "InvariantViolation"]);

function isMessage({ node, parent, listKey, key }: Place): boolean {
  if (node.type !== "StringLiteral" && node.type !== "TemplateLiteral") return false;
  if (listKey !== "arguments" || parent.callee?.name === undefined) return false;
  if (parent.callee.name === "statement") return key === 0;
  const names = parent.type === "NewExpression" ? faults : assertions;
  return names.has(parent.callee.name);
}

export const strykerPlugins = [
  {
    kind: "Ignore",
    name: "messages",
    value: {
      shouldIgnore: (place: Place): string | undefined =>
        isMessage(place) ? "a message for developers" : undefined,
    },
  },
];
