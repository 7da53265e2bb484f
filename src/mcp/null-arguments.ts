/** Accepts tool calls whose `arguments` are `null`, before the MCP library refuses them. */

/**
 * Removes `arguments: null` from a message, or from the messages of a batch. Some clients, for example in Go,
 * send it with calls of tools without arguments, such as `create_test`.
 */
export function dropNullArguments(body: unknown): void {
  for (const message of [body].flat()) {
    const params = Object(Object(message).params);
    if (params.arguments === null) delete params.arguments;
  }
}
