import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useRef } from "react";

/**
 * `useMutation` that ignores calls while it runs: a second click, or a held Enter key, can arrive before the button is rendered as
 * disabled.
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
    // The component reads the error from the mutation's state.
    mutateAsync(variables).then(end, end);
  };
  return { ...mutation, mutate } as UseMutationResult<Result, Error, Variables>;
}
