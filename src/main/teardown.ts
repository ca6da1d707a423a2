/** What was started, to be stopped in the opposite order, once. */
export class Teardown {
  readonly #steps: { readonly name: string; readonly stop: () => void | Promise<void> }[] = [];
  #running: Promise<void> | null = null;

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

  /** Every step is tried; a step that fails does not keep the others from being stopped. */
  run(): Promise<void> {
    this.#running ??= this.#runAll();
    return this.#running;
  }

  async #runAll(): Promise<void> {
    for (let step = this.#steps.pop(); step !== undefined; step = this.#steps.pop()) {
      try {
        await step.stop();
      } catch {
        // What does not stop in order is ended with the process.
      }
    }
  }
}
