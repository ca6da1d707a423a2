/** A response that streams until one side ends it. */
export type StreamAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Called once, when the head of the response is out. */
  readonly stream: (connection: StreamConnection) => void;
};

export type StreamConnection = {
  /** Writing to a closed connection does nothing. */
  readonly write: (text: string) => void;
  readonly end: () => void;
  /** Called once, whichever side ends the stream; immediately if it has already ended. */
  readonly onClose: (listener: () => void) => void;
};
