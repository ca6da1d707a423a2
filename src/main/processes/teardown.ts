import { errorMessage } from "../../platform/kernel/error-message.ts";
import type { Logger } from "../../platform/kernel/logger.ts";

/** What was started, to be stopped in the opposite order, once. */
export class Teardown {
  readonly #logger: Logger;
  readonly #steps: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];
  #running: Promise<void> | null = null;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** `name` is what the log calls it should it not stop. */
  add(name: string, stop: () => void | Promise<void>): void {
    this.#steps.push({ name, stop });
  }

  /** Registers what `starting` brings as soon as it is there, also when a neighbour fails meanwhile. */
  async track<Part>(
    name: string,
    starting: Promise<Part>,
    stop: (part: Part) => void | Promise<void>,
  ): Promise<Part> {
    const part = starting.then((started) => {
      this.add(name, () => stop(started));
      return started;
    });
    // A step that failed to start needs no stopping, but the one that is still starting is waited for.
    this.add(`${name} (starting)`, () => part.then(() => undefined).catch(() => undefined));
    return part;
  }

  /** Every step is tried; one that fails is logged, and does not keep the others from being stopped. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch (error) {
        // It ends with the process.
        this.#logger.warn("part did not stop in order", {
          part: step.name,
          error: errorMessage(error),
        });
      }
    }
  }
}
