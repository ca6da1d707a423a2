import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";

/** Started parts, to be stopped once, in reverse order. */
export class Teardown {
  readonly #logger: Logger;
  readonly #steps: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];
  #running: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** `name` appears in the log if it fails to stop. */
  add(name: string, stop: () => void | Promise<void>): void {
    this.#steps.push({ name, stop });
  }

  /** Registers what `starting` resolves with as soon as it does, also when another part fails in the meantime. */
  async track<Part>(
    name: string,
    starting: Promise<Part>,
    stop: (part: Part) => void | Promise<void>,
  ): Promise<Part> {
    const part = starting.then((started) => {
      this.add(name, () => stop(started));
      return started;
    });
    // A failed start needs no stopping, but one that is still starting is awaited.
    this.add(`${name} (starting)`, () => part.then(() => undefined).catch(() => undefined));
    return part;
  }

  /** Tries every step; logs a failure and continues with the others. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        // Ends with the process.
        this.#logger.warn("part did not stop in order", {
          part: step.name,
          error: errorMessage(error),
        });
      }
    }
  }
}
