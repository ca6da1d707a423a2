import {
  type UseMutationOptions,
  type UseMutationResult,
  useMutation,
} from "@tanstack/react-query";
import { useRef } from "react";
import { ReauthenticationCanceled } from "../api/reauthentication-canceled.ts";

/**
 * `useMutation` that ignores calls while it runs: a second click, or a held Enter key, can arrive before the button is rendered as
 * disabled. An action whose reauthentication was canceled leaves no error.
 */
export function useAction<Result, Variables = void>(
  options: UseMutationOptions<Result, Error, Variables>,
): UseMutationResult<Result, Error, Variables> {
  const mutation = useMutation(options);
  const isRunning = useRef(false);
  const { mutateAsync, reset } = mutation;
  const mutate = (variables: Variables): void => {
    if (isRunning.current) return;
    isRunning.current = true;
    const end = (): void => {
      isRunning.current = false;
    };
    mutateAsync(variables).then(end, (error: unknown) => {
      end();
      // The component reads other errors from the mutation's state.
      if (error instanceof ReauthenticationCanceled) reset();
    });
  };
  return { ...mutation, mutate } as UseMutationResult<Result, Error, Variables>;
}
