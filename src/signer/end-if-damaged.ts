import { JournalDamaged } from "./journal/sealed-lines.ts";
import type { Desk } from "./serve-signer.ts";

/**
 * Answers as `answer` does. When that rejects because a journal cannot be written, or was altered, calls `end` with the reason:
 * nothing can be signed before the next start, and the supervisor starts a process that has ended.
 */
export function endIfDamaged(
  answer: Desk["answer"],
  end: (reason: string) => void,
): Desk["answer"] {
  return async (request, held) => {
    try {
      return await answer(request, held);
    } catch (error) {
      if (error instanceof JournalDamaged) end(error.message);
      throw error;
    }
  };
}
