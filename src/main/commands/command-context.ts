import type { World } from "../../platform/kernel/world.ts";

/** What every command receives. `print` writes one line to the terminal. */
export type CommandContext = World & { readonly print: (line: string) => void };
