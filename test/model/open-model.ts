import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { present } from "../../src/platform/kernel/assert.ts";

/*
 * Quint's own evaluator as a library, so that a model can be explored exhaustively: the command `quint run` only samples, and its
 * exhaustive checkers are programs for the JVM that no registry of this project has. The paths below are internal to the pinned version.
 */

/** A value of a model as JSON: sets and maps are sorted lists, maps as pairs. Equal values have equal JSON. */
export type ModelState = Readonly<Record<string, unknown>>;

/** A step of a history: the action, what it chose, and the state after it. */
export type ModelStep = {
  readonly action: string;
  readonly picks: Readonly<Record<string, unknown>>;
  readonly state: ModelState;
};

/** A state to continue from. It is valid for the model that returned it. */
export type Place = { readonly state: ModelState; readonly registers: Registers };
type Registers = ReadonlyMap<string, unknown>;

export type Taken = { readonly step: ModelStep; readonly place: Place };

export type Model = {
  readonly start: () => Place;
  /** Every step that the action can take from that place. Two of them may reach the same state. */
  readonly stepsFrom: (place: Place, action: string) => Generator<Taken>;
  readonly holds: (invariant: string, place: Place) => boolean;
};

type Expression = { readonly id: bigint };
type Outcome = {
  readonly isLeft: () => boolean;
  readonly value: { readonly toBool: () => boolean };
};
type Compiled = (context: unknown) => Outcome;
type Register = { readonly name: string; value: unknown };
type Value = {
  readonly value: unknown;
  readonly map: Iterable<readonly [Value | string, Value]>;
  readonly list: Iterable<Value>;
  readonly toSet: () => Iterable<Value>;
};

// Every choice is tried here: the evaluator must not go on to another one by itself. Read when it is loaded.
process.env["QUINT_RETRY_NONDET_SMALLER_THAN"] = "0";
const quint = createRequire(import.meta.url);
const inside = (path: string): Record<string, never> =>
  quint(`@informalsystems/quint/dist/src/${path}.js`) as Record<string, never>;

/** Compiles the module `name` of the file with these constants. Throws for a faulty model. */
export function openModel(
  file: string,
  name: string,
  constants: Readonly<Record<string, boolean | number>>,
): Model {
  const values = Object.entries(constants).map(([key, value]) => `${key} = ${value}`);
  const text = `${readFileSync(file, "utf8")}
module Instance { import ${name}(${values.join(", ")}).* }`;
  const idGenerator = (inside("idGenerator")["newIdGenerator"] as unknown as () => unknown)();
  const path = { normalizedPath: file, toSourceName: () => file };
  const parse = inside("parsing/quintParserFrontend")["parse"] as unknown as (
    ...args: unknown[]
  ) => Parsed;
  const parsed = parse(idGenerator, file, path, text, new Map([[file, text]]));
  assertNone(parsed.errors);

  const script = createScript();
  const { Evaluator } = inside("runtime/impl/evaluator") as unknown as {
    readonly Evaluator: new (...args: unknown[]) => EvaluatorLike;
  };
  const { noExecutionListener } = inside("runtime/trace") as unknown as {
    readonly noExecutionListener: unknown;
  };
  const evaluator = new Evaluator(parsed.resolver.table, noExecutionListener, script.random);
  const compiled = new Map<string, Compiled>();
  const compile = (input: string): Compiled => {
    const known = compiled.get(input);
    if (known !== undefined) return known;
    const built = compileExpression(parsed, idGenerator, evaluator, input);
    compiled.set(input, built);
    return built;
  };
  const { ctx } = evaluator;
  const { varStorage } = ctx;
  const isTrue = (input: string): boolean => {
    const outcome = compile(input)(ctx);
    if (outcome.isLeft()) throw new Error(`${input}: ${JSON.stringify(outcome.value)}`);
    return outcome.value.toBool();
  };
  const take = (): Place => {
    const registers = new Map<string, unknown>();
    const state: Record<string, unknown> = {};
    for (const [key, register] of varStorage.vars) {
      registers.set(key, register.value);
      state[shortName(register.name)] = toJson((register.value as { value: Value }).value);
    }
    return { state, registers };
  };
  const goTo = ({ registers }: Place): void => {
    for (const [key, register] of varStorage.vars) register.value = registers.get(key);
    for (const [key, register] of varStorage.nextVars)
      register.value = present(unset.get(key), key);
    varStorage.clearCaches();
  };
  for (const input of ["init", "step"]) compile(input);
  const unset = new Map([...varStorage.nextVars].map(([key, { value }]) => [key, value]));

  return {
    start: () => {
      script.begin();
      if (!isTrue("init")) throw new Error("the model has no first state");
      varStorage.shiftVars();
      return take();
    },
    *stepsFrom(place, action) {
      script.begin();
      do {
        goTo(place);
        script.rewind();
        if (!isTrue(action)) continue;
        const picks = Object.fromEntries(
          [...varStorage.nondetPicks].flatMap(([key, value]) =>
            value === undefined ? [] : [[shortName(key), toJson(value)]],
          ),
        );
        varStorage.shiftVars();
        const reached = take();
        yield { step: { action, picks, state: reached.state }, place: reached };
      } while (script.next());
    },
    holds: (invariant, place) => {
      goTo(place);
      return isTrue(invariant);
    },
  };
}

type Parsed = {
  readonly errors: readonly { readonly message: string }[];
  readonly sourceMap: unknown;
  readonly resolver: {
    readonly table: unknown;
    readonly errors: readonly { readonly message: string }[];
    readonly switchToModule: (name: string) => void;
  };
};

type EvaluatorLike = {
  readonly builder: unknown;
  readonly ctx: {
    readonly varStorage: {
      readonly vars: Iterable<readonly [string, Register]>;
      readonly nextVars: Iterable<readonly [string, Register]>;
      readonly nondetPicks: Map<string, Value | undefined>;
      readonly shiftVars: () => void;
      readonly clearCaches: () => void;
    };
  };
};

function compileExpression(
  parsed: Parsed,
  idGenerator: unknown,
  evaluator: EvaluatorLike,
  input: string,
): Compiled {
  const { parseExpressionOrDeclaration } = inside("parsing/quintParserFrontend") as unknown as {
    readonly parseExpressionOrDeclaration: (...args: unknown[]) => {
      readonly kind: string;
      readonly expr: Expression;
    };
  };
  const { walkExpression } = inside("ir/IRVisitor") as unknown as {
    readonly walkExpression: (visitor: unknown, expression: Expression) => void;
  };
  const { buildExpr } = inside("runtime/impl/builder") as unknown as {
    readonly buildExpr: (builder: unknown, expression: Expression) => Compiled;
  };
  const read = parseExpressionOrDeclaration(input, "input", idGenerator, parsed.sourceMap);
  if (read.kind !== "expr") throw new Error(`${input} is no expression`);
  parsed.resolver.switchToModule("Instance");
  walkExpression(parsed.resolver, read.expr);
  assertNone(parsed.resolver.errors);
  return buildExpr(evaluator.builder, read.expr);
}

function assertNone(errors: readonly { readonly message: string }[]): void {
  const [first] = errors;
  if (first !== undefined) throw new Error(first.message);
}

/** Stands in for the evaluator's random numbers: counts through all combinations of choices. */
function createScript() {
  let choices: number[] = [];
  let bounds: number[] = [];
  let at = 0;
  return {
    random: {
      next: (bound: bigint): bigint => {
        const count = Number(bound);
        choices[at] ??= 0;
        bounds[at] = count;
        at += 1;
        return BigInt(present(choices[at - 1], "a choice"));
      },
      getState: () => 0n,
      setState: () => undefined,
    },
    begin: (): void => {
      choices = [];
    },
    rewind: (): void => {
      at = 0;
      bounds = [];
    },
    /** Moves on to the next combination; false after the last. */
    next: (): boolean => {
      choices.length = at;
      while (choices.length > 0) {
        const last = present(choices.pop(), "a choice");
        if (last + 1 < present(bounds[choices.length], "a bound")) {
          choices.push(last + 1);
          return true;
        }
      }
      return false;
    },
  };
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function toJson(value: Value): unknown {
  switch (value.constructor.name) {
    case "RuntimeValueBool":
    case "RuntimeValueStr":
      return value.value;
    case "RuntimeValueInt":
      return Number(value.value);
    case "RuntimeValueRecord":
      return Object.fromEntries(
        [...value.map]
          .map(([key, each]) => [key as string, toJson(each)] as const)
          .toSorted(([one], [other]) => (one < other ? -1 : 1)),
      );
    case "RuntimeValueMap":
      return sorted([...value.map].map(([key, each]) => [toJson(key as Value), toJson(each)]));
    case "RuntimeValueTupleOrList":
      return [...value.list].map(toJson);
    default:
      return sorted([...value.toSet()].map(toJson));
  }
}

function sorted(values: readonly unknown[]): readonly unknown[] {
  return values
    .map((value) => ({ value, text: JSON.stringify(value) }))
    .toSorted((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ value }) => value);
}
