import { z } from "zod";

/** A change of the code, and what the tests made of it. */
export type Mutant = {
  readonly file: string;
  readonly line: number;
  /** The line on which it begins, without indentation. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
  readonly state: "noticed" | "unnoticed" | "outside";
  /** Offsets of `before` in the file. */
  readonly start: number;
  readonly end: number;
};

const place = z.object({ line: z.number(), column: z.number() });
const schema = z.object({
  files: z.record(
    z.string(),
    z.object({
      source: z.string(),
      mutants: z.array(
        z.object({
          location: z.object({ start: place, end: place }),
          replacement: z.string(),
          status: z.enum([
            "Killed",
            "Timeout",
            "Survived",
            "NoCoverage",
            "RuntimeError",
            "CompileError",
            "Ignored",
          ]),
        }),
      ),
    }),
  ),
});

/**
 * Reads Stryker's report (the schema of mutation-testing-elements). A test that does not come to its end has noticed; a mutant that
 * was ignored, or with which no test could begin, is outside the score.
 */
export function readReport(text: string): readonly Mutant[] {
  return Object.entries(schema.parse(JSON.parse(text)).files).flatMap(
    ([file, { source, mutants }]) => {
      const lines = source.split("\n");
      const starts = [0];
      for (const line of lines) starts.push((starts.at(-1) ?? 0) + line.length + 1);
      const offset = ({ line, column }: z.infer<typeof place>): number =>
        (starts[line - 1] ?? 0) + column - 1;
      return mutants.map(({ location, replacement, status }) => {
        const [start, end] = [offset(location.start), offset(location.end)];
        return {
          file,
          line: location.start.line,
          text: (lines[location.start.line - 1] ?? "").trim(),
          before: source.slice(start, end),
          after: replacement,
          state: stateOf(status),
          start,
          end,
        };
      });
    },
  );
}

function stateOf(status: string): Mutant["state"] {
  if (status === "Killed" || status === "Timeout") return "noticed";
  return status === "Survived" || status === "NoCoverage" ? "unnoticed" : "outside";
}
