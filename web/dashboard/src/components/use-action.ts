import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useRef } from "react";

/**
 * A mutation that is not begun again before it has ended: a second click, or Enter held down, may come before the page was drawn
 * with the button that shows it was pressed. Otherwise as `useMutation`.
 */
export function useAction<Result, Variables = void>(
  options: UseMutationOptions<Result, Error, Variables>,
): UseMutationResult<Result, Error, Variables> {
  const mutation = useMutation(options);
  const isRunning = useRef(false);
  const { mutateAsync } = mutation;
  const mutate = (variables: Variables): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    const end = (): void => {
      isRunning.current = false;
    };
    // Whoever shows the mutation shows its error.
    mutateAsync(variables).then(end, end);
  };
  return { ...mutation, mutate } as UseMutationResult<Result, Error, Variables>;
}
