import type { World } from "../../platform/kernel/world.ts";

/** What every command of the command line gets. `print` writes one line for the person at the terminal. */
export type CommandContext = World & { readonly print: (line: string) => void };
