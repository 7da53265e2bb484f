import type { Cluster } from '../cluster/start.ts';

/** One replica as its clients know it. */
export interface Replica {
  readonly id: string;
  http(): string;
  smtp(): { readonly host: string; readonly port: number };
  pid(): number;
  /** SIGTERM, and then another process in its place. */
  replace: Cluster['replicas'][number]['service']['replace'];
}

export const toReplica = ({ id, service }: Cluster['replicas'][number]): Replica => ({
  id,
  http: () => service.listening().http,
  smtp() {
    const [host = '', port = ''] = service.listening().smtp.split(/:(?=\d+$)/);
    return { host, port: Number(port) };
  },
  pid: () => service.listening().pid,
  replace: service.replace,
});
