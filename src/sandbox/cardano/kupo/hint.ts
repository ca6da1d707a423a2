/** A request that Kupo answers with an error. */
export class Hint extends Error {
  override readonly name = "Hint";
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
