import { useState } from "react";
import { api } from "../../api/api.ts";
import { describeProblem } from "../../api/problem.ts";
import { useAction } from "../../components/use-action.ts";

/**
 * Approves payouts one by one. A refusal is reported per payout and does not stop the others.
 */
export function useApprovals(onSettled: () => void) {
  const [refusals, setRefusals] = useState<ReadonlyMap<string, string>>(new Map());
  const [done, setDone] = useState(0);
  const approving = useAction({
    mutationFn: async (ids: readonly string[]) => {
      const refused = new Map<string, string>();
      for (const id of ids) {
        try {
          await api.post("/payout/{id}/approve/", { id });
        } catch (error) {
          refused.set(id, describeProblem(error).detail);
        }
      }
      return { refused, approved: ids.length - refused.size };
    },
    onSuccess: ({ refused, approved }) => {
      setRefusals(refused);
      setDone(approved);
      onSettled();
    },
  });
  return { approve: approving.mutate, refusals, done, isApproving: approving.isPending };
}
