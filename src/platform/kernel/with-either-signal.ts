/**
 * Calls `run` with a signal that aborts as soon as one of the two does, and passes on its result or error. Leaves nothing on them. `AbortSignal.any`
 * leaves on each of its signals what only a complete garbage collection removes; on one that lives as long as the process, a little for each call.
 */
export async function withEitherSignal<Answer>(
  one: AbortSignal,
  other: AbortSignal,
  run: (either: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const either = new AbortController();
  const passOn = (): void => {
    either.abort((one.aborted ? one : other).reason);
  };
  one.addEventListener("abort", passOn, { once: true });
  other.addEventListener("abort", passOn, { once: true });
  if (one.aborted || other.aborted) passOn();
  try {
    return await run(either.signal);
  } finally {
    one.removeEventListener("abort", passOn);
    other.removeEventListener("abort", passOn);
  }
}
