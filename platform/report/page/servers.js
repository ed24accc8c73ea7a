// The servers of a point, counted through platform.servers, and what is on the screen of them and of the time. The devices
// of the cluster, `of_cluster`, have the rows behind those of all servers.
function servers_of(point) {
  let at = point;
  while (!data.pictures.entries[at]) --at;  // as at the point before
  let first = 0, core = 0, row = 0;
  const entries = data.pictures.entries[at].map(([name, count, cores, devices = []]) => {
    const entry = { name, count, cores, devices, first, core, row };
    first += count;
    core += count * cores;
    row += count * (cores + devices.length);
    return entry;
  });
  return { entries, count: first, cores: core, rows: row, of_cluster: [] };
}

const entry_of = ({ entries }, server) => entries[Math.max(0, d3.bisectRight(entries.map((entry) => entry.first), server) - 1)];
const cores_before = (servers, server) => {
  const entry = entry_of(servers, server);
  return entry.core + (server - entry.first) * entry.cores;
};
// Each server has rows for its cores, then for its devices.
const rows_before = (servers, server) => {
  const entry = entry_of(servers, server);
  return entry.row + (server - entry.first) * (entry.cores + entry.devices.length);
};
// The name of the device that has a row; undefined: it is a core's.
function device_at({ entries, rows, of_cluster }, row) {
  if (row >= rows) return of_cluster[Math.floor(row - rows)];
  const entry = entries[Math.max(0, d3.bisectRight(entries.map((of) => of.row), row) - 1)];
  return entry.devices[Math.floor((row - entry.row) % (entry.cores + entry.devices.length)) - entry.cores];
}
// Gives the place of a row on the screen: first come those of the servers in view, then those of the cluster's devices, which
// are always there. What is not in view has no height.
function places_of_rows({ servers, view }) {
  const first = rows_before(servers, view.first), last = rows_before(servers, view.last);
  return (row) => Math.min(last, Math.max(first, row)) - first + Math.max(0, row - servers.rows);
}
function server_name(servers, server) {
  const entry = entry_of(servers, server);
  return entry.count > 1 ? `${entry.name} ${server - entry.first + 1}` : entry.name;
}
// @param last the first server that is no more among them
function servers_name(servers, first, last) {
  if (last - first <= 1) return server_name(servers, first);
  const [a, b] = [entry_of(servers, first), entry_of(servers, last - 1)];
  return `${server_name(servers, first)} to ${a === b ? last - a.first : server_name(servers, last - 1)}`;
}

// Which servers and what time are shown. Zooming and moving stay within what there is, and show whole rows.
// @param each servers that have a row together, but for the first ones, so many as `detailed`
// @param least share of the time that is shown
function viewport(servers, begin, end, each, detailed, least) {
  const view = { from: begin, to: end, first: 0, last: servers.count };
  const shortest = (end - begin) * least;
  function set_time(from, length) {
    length = Math.min(end - begin, Math.max(shortest, length));
    view.from = Math.min(end - length, Math.max(begin, from));
    view.to = view.from + length;
  }
  function set_servers(first, count) {
    count = Math.min(servers.count, Math.max(1, Math.round(count)));
    view.first = Math.min(servers.count - count, Math.max(0, Math.round(first)));
    view.last = view.first + count;
    if (view.last <= detailed) return;
    view.first -= view.first % each;
    view.last = Math.min(servers.count, Math.ceil(view.last / each) * each);
  }
  return Object.assign(view, {
    // @param time, server stay where they are on the screen
    zoom(factor, time = (view.from + view.to) / 2, server = (view.first + view.last) / 2, of_servers = factor) {
      const length = Math.min(end - begin, Math.max(shortest, (view.to - view.from) / factor));
      set_time(time - ((time - view.from) * length) / (view.to - view.from), length);
      if (of_servers !== 1) set_servers(server - (server - view.first) / of_servers, (view.last - view.first) / of_servers);
    },
    // What is shown begins there.
    go(from, first) {
      set_time(from, view.to - view.from);
      set_servers(first, view.last - view.first);
    },
    is_all_time: () => view.to - view.from >= end - begin,
    is_whole: () => view.is_all_time() && view.last - view.first >= servers.count,
    // @param across, down shares of what is shown
    move(across, down) {
      set_time(view.from + across * (view.to - view.from), view.to - view.from);
      const count = view.last - view.first;
      set_servers(view.first + Math.sign(down) * Math.ceil(Math.abs(down) * count), count);
    },
    show(from, to, first, last) {
      set_time(from, to - from);
      set_servers(first, last - first);
    },
    whole() { view.show(begin, end, 0, servers.count); },
  });
}
